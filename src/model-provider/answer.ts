/** A model's answer, read whole or assembled from the events of a stream; validated, as it comes from outside. */
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { storable } from '../db/storable.ts';
import { parseJson } from './refusal.ts';

/** A part of an answer; parts of other kinds are ignored. */
export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json };
type Json = Record<string, unknown>;

/** A whole answer. */
export interface ModelAnswer {
  readonly content: readonly AnswerBlock[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A request body has at most 100 levels (http/json-body.ts), and a caller must be able to send the thread again. */
const MAX_DEPTH = 90;

/** A provider sent something invalid. */
export class MalformedAnswer extends Error {}

/** Optional members, for which some providers send null. */
const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

const Tokens = maybe(Type.Integer({ minimum: 0 }));
const Usage = maybe(Type.Object({ input_tokens: Tokens, output_tokens: Tokens }));
const Block = Type.Object({
  type: Type.String(),
  text: maybe(Type.String()),
  id: maybe(Type.String({ minLength: 1 })),
  name: maybe(Type.String({ minLength: 1 })),
  input: maybe(Type.Record(Type.String(), Type.Unknown())),
});
type Block = Static<typeof Block>;

const Whole = Compile(Type.Object({ content: Type.Array(Block), usage: Usage }));
const Delta = Type.Object({
  text: maybe(Type.String()),
  partial_json: maybe(Type.String()),
  stop_reason: maybe(Type.String()),
});
const Event = Type.Object({
  type: Type.String(),
  index: maybe(Type.Integer({ minimum: 0, maximum: 10_000 })),
  message: maybe(Type.Object({ usage: Usage })),
  content_block: maybe(Block),
  delta: maybe(Delta),
  usage: Usage,
  error: maybe(Type.Object({ type: maybe(Type.String()), message: maybe(Type.String()) })),
});
/** An event of a stream, of any type. */
export type ModelEvent = Static<typeof Event>;
const checkEvent = Compile(Event);

/** Parses an answer that came whole. @throws MalformedAnswer */
export function readWhole(text: string): ModelAnswer {
  const message = parseJson(text);
  if (!Whole.Check(message)) throw new MalformedAnswer('The answer is not a message.');
  return {
    content: message.content.flatMap(toBlock),
    inputTokens: message.usage?.input_tokens ?? 0,
    outputTokens: message.usage?.output_tokens ?? 0,
  };
}

/** Parses an event. @throws MalformedAnswer */
export function readEvent(text: string): ModelEvent {
  const event = parseJson(text);
  if (!checkEvent.Check(event)) throw new MalformedAnswer('It sent an event that cannot be read.');
  return event;
}

/** Assembles an answer from its events. */
export class AnswerAssembly {
  readonly #blocks = new Map<number, { block: Block; text: string; json: string }>();
  #inputTokens = 0;
  #outputTokens = 0;
  #isComplete = false;
  #stopReason: string | null = null;

  /** Adds an event and returns its text. @throws MalformedAnswer */
  add({ type, index: place, message, content_block, delta, usage }: ModelEvent): string {
    const index = place ?? 0;
    this.#count(message?.usage);
    this.#count(usage);
    this.#stopReason = delta?.stop_reason ?? this.#stopReason;
    // The stop reason comes last, before the final `message_stop`.
    if (type === 'message_stop' || this.#stopReason !== null) this.#isComplete = true;
    if (type === 'content_block_start' && content_block) {
      this.#blocks.set(index, { block: content_block, text: content_block.text ?? '', json: '' });
      return content_block.type === 'text' ? (content_block.text ?? '') : '';
    }
    if (type !== 'content_block_delta' || !delta) return '';
    const open = this.#blocks.get(index);
    if (!open) throw new MalformedAnswer('It went on with a part that it had not begun.');
    open.json += delta.partial_json ?? '';
    open.text += delta.text ?? '';
    return open.block.type === 'text' ? (delta.text ?? '') : '';
  }

  /** Returns the answer. @throws MalformedAnswer when its end is missing, or a tool's input is not JSON. */
  finish(): ModelAnswer {
    if (!this.#isComplete) throw new MalformedAnswer('It broke off before its answer was complete.');
    const inOrder = [...this.#blocks].sort(([a], [b]) => a - b);
    return {
      content: inOrder.flatMap(([, { block, text, json }]) =>
        this.#isCut(json)
          ? []
          : toBlock({ ...block, text, input: json === '' ? block.input : readInput(json) }),
      ),
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    };
  }

  /** True for a tool call that the token limit has cut off: the text before it is still used. */
  #isCut(json: string): boolean {
    return this.#stopReason === 'max_tokens' && json !== '' && parseJson(json) === undefined;
  }

  /** Each event reports all counts so far, or only the changed ones. */
  #count(usage: ModelEvent['usage']): void {
    this.#inputTokens = usage?.input_tokens ?? this.#inputTokens;
    this.#outputTokens = usage?.output_tokens ?? this.#outputTokens;
  }
}

function toBlock({ type, text, id, name, input }: Block): AnswerBlock[] {
  if (type === 'text') return text ? [{ type, text: storable(text) }] : [];
  if (type !== 'tool_use') return [];
  if (!id || !name) throw new MalformedAnswer('It asked for a tool without a name or an id.');
  return [{ type, id: storable(id), name: storable(name), input: storableMembers(input ?? {}, 1) }];
}

/** Returns the value with strings and keys that can be stored. @throws MalformedAnswer if it is nested too deep */
function storableMembers(value: object, depth: number): Json {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storable(key), storableIn(member, depth + 1)]),
  );
}

function storableIn(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new MalformedAnswer('It sent an input of a tool that is nested too deep.');
  return Array.isArray(value)
    ? value.map((each) => storableIn(each, depth + 1))
    : storableMembers(value, depth);
}

function readInput(json: string): Json {
  const input = parseJson(json);
  if (!isInput(input)) throw new MalformedAnswer('It sent an input of a tool that is no JSON object.');
  return input;
}

function isInput(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
