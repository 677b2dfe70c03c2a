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
    'Asks an assistant once, in no thread, and gives the text of its answer. Tools that it asks for are not run.',
  params: Type.Object({
    assistant_id: Type.String({ minLength: 1 }),
    message: Type.String({ minLength: 1, description: 'What the assistant is asked.' }),
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
