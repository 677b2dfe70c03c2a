import { readBuiltFile } from '../../../http/built-files.ts';
import { defineRawRoute } from '../../../http/route.ts';
import { compressFile, fileReply } from '../../../http/static-file.ts';
import { oncePerPlatform } from '../../../platform.ts';

const script = oncePerPlatform(async () =>
  compressFile('text/javascript; charset=utf-8', await readBuiltFile('assistant.js')),
);

/** The script that shows a conversation on a page. */
export const widgetRoute = defineRawRoute({
  tag: 'AI',
  id: 'ai_conversations.script',
  method: 'GET',
  path: '/assistant.js',
  summary: 'Script that embeds a conversation: `TesseraAssistant.mount(element, {token})`',
  access: 'public',
  raw: { contentType: 'text/javascript', description: 'The script.' },
  handler: async (ctx) => fileReply(ctx, await script(ctx.platform)),
});
