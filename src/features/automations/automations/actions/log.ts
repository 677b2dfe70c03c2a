import Type from 'typebox';
import { defineActionType } from '../../../../flows/action-type.ts';
import { type Json, toText } from '../../../../flows/expressions.ts';

/** Longest part of a message that goes into the process log, in characters. */
const MAX_LOGGED = 2000;

const params = Type.Object({
  message: Type.Unsafe<Json>(
    Type.Unknown({ description: 'Any JSON value. The process log gets its first 2,000 characters.' }),
  ),
});

/** Stores a message in the run and writes it to the process log. */
export const logAction = defineActionType({
  key: 'log',
  name: 'Log',
  description: 'Stores a message in the run and writes it to the process log. Result: `{message}`.',
  params,
  isRepeatable: true,
  call: async ({ platform, db, actor }, { message }) => {
    const { key, runId } = actor;
    const logged = toText(message).slice(0, MAX_LOGGED);
    platform.observe({ event: 'automation.logged', tenantId: db.tenantId, key, runId, message: logged });
    return { message };
  },
  preview: async (_ctx, { message }) => ({ message }),
});
