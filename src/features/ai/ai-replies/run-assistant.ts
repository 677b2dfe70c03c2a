import Type from 'typebox';
import { defineActionType } from '../../../flows/action-type.ts';
import { getAssistant } from '../ai-assistants/index.ts';
import { textOf } from '../ai-threads/index.ts';
import { askForAnswer, prepareQuestion, toMessage } from './turn.ts';

/** Asks an assistant outside any thread. */
export const runAssistant = defineActionType({
  key: 'runAssistant',
  name: 'Ask an assistant',
  description:
    'Sends one message to an assistant, outside any thread, and returns the text of its reply. Tool calls that the assistant requests are not executed. Result: `{message}`.',
  params: Type.Object({
    assistant_id: Type.String({ minLength: 1, description: 'The id of the assistant.' }),
    message: Type.String({ minLength: 1, description: 'The message to send to the assistant.' }),
  }),
  call: async (ctx, { assistant_id, message }) => {
    const assistant = await getAssistant(ctx.db, assistant_id);
    const question = await prepareQuestion(ctx, { assistant, thread: null }, [toMessage(message)]);
    const { content } = await askForAnswer(ctx, question, AbortSignal.timeout(Math.max(1, ctx.timeoutMs)));
    return { message: textOf(content) };
  },
  preview: async ({ db }, { assistant_id }) => {
    await getAssistant(db, assistant_id);
    return { message: '' };
  },
});
