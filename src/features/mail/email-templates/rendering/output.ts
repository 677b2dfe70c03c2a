import { renderFault, type TemplateFault } from './template-fault.ts';
import { joinParts, type SharedText, type TextParts } from './text-parts.ts';

/**
 * Maximum output of one render over all parts, in bytes of UTF-8
 * (docs/specification/templates.md#template-language).
 */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Number of loop turns between checks of the time limit. */
const TURNS_PER_CHECK = 256;

/** Output of all parts of one render, with limits on size and time. */
export class Output {
  /** Text written by the current part since its last shared text. */
  text = '';
  /** Earlier texts of the current part, and their length. */
  #parts: (string | SharedText)[] = [];
  #length = 0;
  readonly #maxMs: number;
  /** Deadline in processor time, set by the first check, because a check costs as much as a short render. */
  #end: number | undefined;
  #bytes = 0;
  #turns = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Writes a text that is the same in all messages. */
  share(shared: SharedText): void {
    this.#parts.push(this.text, shared);
    this.#length += this.text.length + shared.text.length;
    this.text = '';
  }

  /** Checks the limits; called in every turn of a loop. @throws TemplateFault when a limit is exceeded. */
  turn(): void {
    if (this.#bytes + this.#length + this.text.length > MAX_OUTPUT_BYTES) throw tooLarge();
    this.#turns += 1;
    if (this.#turns % TURNS_PER_CHECK !== 0) return;
    const now = processorMs();
    this.#end ??= now + this.#maxMs;
    if (now > this.#end) throw renderFault(`Rendering took longer than ${this.#maxMs} ms`);
  }

  /** Ends a part and returns its texts. @throws TemplateFault when the output is too large. */
  take(): TextParts {
    const parts = [...this.#parts, this.text];
    const length = this.#length + this.text.length;
    this.text = '';
    this.#parts = [];
    this.#length = 0;
    // A UTF-16 unit is at most three bytes of UTF-8, so most outputs need no exact count.
    const isNear = this.#bytes + length * 3 > MAX_OUTPUT_BYTES;
    this.#bytes += isNear && length <= MAX_OUTPUT_BYTES ? Buffer.byteLength(joinParts(parts)) : length;
    if (this.#bytes > MAX_OUTPUT_BYTES) throw tooLarge();
    return parts;
  }
}

/** Returns the processor time of this thread, in ms: a render is not charged for other load of the machine. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tooLarge(): TemplateFault {
  return renderFault('The rendered message is larger than 10 MiB');
}
