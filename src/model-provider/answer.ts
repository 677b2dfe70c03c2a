/** A model's answer, read whole or assembled from the events of a stream; validated, as it comes from outside. */
import { randomUUID } from 'node:crypto';
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
const nullable = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

const anything = Type.Optional(Type.Unknown());

const Block = Type.Object({
  type: Type.String(),
  text: nullable(Type.String()),
  id: nullable(Type.String()),
  name: nullable(Type.String()),
  input: anything,
});
type Block = Static<typeof Block>;

const Whole = Compile(
  Type.Object({
    content: Type.Union([Type.Array(Block), Type.String(), Type.Null()]),
    usage: anything,
    stop_reason: anything,
  }),
);
const Delta = Type.Object({
  text: nullable(Type.String()),
  partial_json: nullable(Type.String()),
  stop_reason: nullable(Type.String()),
});
const Event = Type.Object({
  type: nullable(Type.String()),
  index: nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
  message: anything,
  content_block: nullable(Block),
  delta: nullable(Delta),
  usage: anything,
  error: anything,
});
/** An event of a stream, of any type. */
export type ModelEvent = Static<typeof Event>;
const checkEvent = Compile(Event);

/** Parses an answer that came whole. @throws MalformedAnswer */
export function readWhole(text: string): ModelAnswer {
  const message = parseJson(text);
  if (!Whole.Check(message)) throw new MalformedAnswer('The answer is not a message.');
  const { content, stop_reason, usage } = message;
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content, input: null }] : (content ?? []);
  const isCut = ({ type, input }: Block, index: number) =>
    index === blocks.length - 1 && stop_reason === LIMIT && type === 'tool_use' && isEmpty(input);
  return {
    content: toBlocks(blocks.filter((block, index) => !isCut(block, index))),
    inputTokens: tokensIn(usage, 'input_tokens') ?? 0,
    outputTokens: tokensIn(usage, 'output_tokens') ?? 0,
  };
}

/** Parses an event. @throws MalformedAnswer */
export function readEvent(text: string): ModelEvent {
  const event = parseJson(text);
  if (!checkEvent.Check(event)) throw new MalformedAnswer('It sent an event that cannot be read.');
  return event;
}

/** The reason of an answer that ended at its token limit. */
const LIMIT = 'max_tokens';
/** The reason of an answer that calls a tool. */
const TOOL_CALL = 'tool_use';

/** A part of an answer whose deltas arrive. */
interface OpenBlock {
  readonly block: Block;
  text: string;
  json: string;
}

/** Assembles an answer from its events. */
export class AnswerAssembly {
  /** In the order in which they began. */
  readonly #blocks: OpenBlock[] = [];
  /** The last block of each index: some gateways number all of them 0. */
  readonly #open = new Map<number, OpenBlock>();
  #inputTokens = 0;
  #outputTokens = 0;
  #isComplete = false;
  #stopReason: string | null = null;

  /** True once the provider has ended the answer. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Notes that the provider has ended the answer without an event. */
  end(): void {
    this.#isComplete = true;
  }

  /** Adds an event and returns its text. @throws MalformedAnswer */
  add({ type, index: eventIndex, message, content_block, delta, usage }: ModelEvent): string {
    const index = eventIndex ?? 0;
    if (typeof message === 'object' && message !== null && 'usage' in message) this.#count(message.usage);
    this.#count(usage);
    this.#stopReason = delta?.stop_reason ?? this.#stopReason;
    // The stop reason comes last, before the final `message_stop`.
    if (type === 'message_stop' || this.#stopReason !== null) this.#isComplete = true;
    if (type === 'content_block_start' && content_block) {
      const { text } = this.#begin(index, content_block);
      return content_block.type === 'text' ? text : '';
    }
    if (type !== 'content_block_delta' || !delta) return '';
    const open = this.#open.get(index) ?? this.#beginByDelta(index, delta);
    if (open === null) return '';
    open.json += delta.partial_json ?? '';
    open.text += delta.text ?? '';
    return open.block.type === 'text' ? (delta.text ?? '') : '';
  }

  /** Returns the answer. @throws MalformedAnswer when its end is missing, or a tool's input is not JSON. */
  finish(): ModelAnswer {
    if (!this.#isComplete) throw new MalformedAnswer('It stopped before its response was complete.');
    const complete = this.#blocks.filter((each, index) => !this.#isCut(each, index));
    return {
      content: toBlocks(
        complete.map(({ block, text, json }) => ({
          ...block,
          text,
          input: json === '' ? block.input : readInput(json),
        })),
      ),
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    };
  }

  #begin(index: number, block: Block): OpenBlock {
    const open = { block, text: block.text ?? '', json: '' };
    this.#blocks.push(open);
    this.#open.set(index, open);
    return open;
  }

  /** Some gateways omit the beginning of a text. @throws MalformedAnswer for a tool call without a beginning. */
  #beginByDelta(index: number, { text, partial_json }: Static<typeof Delta>): OpenBlock | null {
    if (partial_json) throw new MalformedAnswer('It continued a part that it had not started.');
    return text ? this.#begin(index, { type: 'text', text: '', input: null }) : null;
  }

  /** True for a tool call that the token limit has cut off: the text before it is still used. */
  #isCut({ block, json }: OpenBlock, index: number): boolean {
    if (block.type !== 'tool_use') return false;
    if (json !== '') return this.#stopReason !== TOOL_CALL && parseJson(json) === undefined;
    return this.#stopReason === LIMIT && index === this.#blocks.length - 1 && isEmpty(block.input);
  }

  /** Each event reports all counts so far, or only the changed ones. */
  #count(usage: unknown): void {
    this.#inputTokens = tokensIn(usage, 'input_tokens') ?? this.#inputTokens;
    this.#outputTokens = tokensIn(usage, 'output_tokens') ?? this.#outputTokens;
  }
}

/** Returns a count of tokens; null for something that is not one. */
function tokensIn(usage: unknown, name: 'input_tokens' | 'output_tokens'): number | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const value = new Map<string, unknown>(Object.entries(usage)).get(name);
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** True for the input of a call of which nothing has arrived. */
function isEmpty(input: unknown): boolean {
  return !isInput(input) || Object.keys(input).length === 0;
}

/** The longest id of a thread's `tool_use`. */
const MAX_ID = 200;
/** The longest name of a tool in a thread. */
const MAX_NAME = 128;

/** Gives calls ids of their own where a gateway sends none, or the same for several. */
function toBlocks(blocks: readonly Block[]): AnswerBlock[] {
  const known = new Set<string>();
  return blocks.flatMap((block) => {
    const value = storable(block.id ?? '').slice(0, MAX_ID + 1);
    const isUsable = value !== '' && value.length <= MAX_ID && !known.has(value);
    const id = isUsable ? value : `toolu_${randomUUID()}`;
    if (block.type === 'tool_use') known.add(id);
    return toBlock(block, id);
  });
}

function toBlock({ type, text, name, input }: Block, id: string): AnswerBlock[] {
  if (type === 'text') return text ? [{ type, text: storable(text) }] : [];
  if (type !== 'tool_use') return [];
  if (!name) throw new MalformedAnswer('It called a tool without a name.');
  const value = typeof input === 'string' && input.trim() !== '' ? readInput(input) : input;
  return [
    {
      type,
      id,
      name: storable(name).slice(0, MAX_NAME),
      input: storableMembers(isInput(value) ? value : {}, 1),
    },
  ];
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
  if (depth > MAX_DEPTH) throw new MalformedAnswer('It sent a tool input that is nested too deeply.');
  return Array.isArray(value)
    ? value.map((each) => storableIn(each, depth + 1))
    : storableMembers(value, depth);
}

function readInput(json: string): Json {
  const input = parseJson(json);
  if (!isInput(input)) throw new MalformedAnswer('It sent a tool input that is not a JSON object.');
  return input;
}

function isInput(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
