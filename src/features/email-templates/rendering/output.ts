import { renderFault, type TemplateFault } from './template-fault.ts';
import { joinParts, type SharedText, type TextParts } from './text-parts.ts';

/**
 * Output of one render at most, in bytes of UTF-8 over all parts
 * (docs/specification/templates.md#template-language).
 */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Loops look at the time that they have used once in so many turns. */
const TURNS_PER_LOOK = 256;

/** What the parts of one render write to, and are bounded by together. */
export class Output {
  /** What the present part has written since it last shared a text. */
  text = '';
  /** What it has written before, and how long that is. */
  #parts: (string | SharedText)[] = [];
  #length = 0;
  readonly #maxMs: number;
  /** When the run must end: known from the first look on, since looking costs as much as a short render. */
  #end: number | undefined;
  #bytes = 0;
  #turns = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Writes a text that other messages have too. */
  share(shared: SharedText): void {
    this.#parts.push(this.text, shared);
    this.#length += this.text.length + shared.text.length;
    this.text = '';
  }

  /** Called in every turn of a loop. @throws TemplateFault when the run must end. */
  turn(): void {
    if (this.#bytes + this.#length + this.text.length > MAX_OUTPUT_BYTES) throw tooLarge();
    this.#turns += 1;
    if (this.#turns % TURNS_PER_LOOK !== 0) return;
    const now = processorMs();
    this.#end ??= now + this.#maxMs;
    if (now > this.#end) throw renderFault(`Rendering took longer than ${this.#maxMs} ms`);
  }

  /** Ends a part. @throws TemplateFault when it is too large. */
  take(): TextParts {
    const parts = [...this.#parts, this.text];
    const length = this.#length + this.text.length;
    this.text = '';
    this.#parts = [];
    this.#length = 0;
    // A UTF-16 unit is at most three bytes of UTF-8: most outputs need no exact count.
    const isNear = this.#bytes + length * 3 > MAX_OUTPUT_BYTES;
    this.#bytes += isNear && length <= MAX_OUTPUT_BYTES ? Buffer.byteLength(joinParts(parts)) : length;
    if (this.#bytes > MAX_OUTPUT_BYTES) throw tooLarge();
    return parts;
  }
}

/** What this thread has used of a processor: a machine that is busy with other work takes nothing from a render. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tooLarge(): TemplateFault {
  return renderFault('The rendered message is larger than 10 MiB');
}
