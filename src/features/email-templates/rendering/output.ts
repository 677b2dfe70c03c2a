import { renderFault, type TemplateFault } from './template-fault.ts';

/**
 * Output of one render at most, in bytes of UTF-8 over all parts
 * (docs/specification/templates.md#template-language).
 */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Loops look at the time that they have used once in so many turns. */
const TURNS_PER_LOOK = 256;

/** What the parts of one render write to, and are bounded by together. */
export class Output {
  /** What the present part has written. */
  text = '';
  readonly #maxMs: number;
  readonly #end: number;
  #bytes = 0;
  #turns = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#end = processorMs() + maxMs;
  }

  /** Called in every turn of a loop. @throws TemplateFault when the run must end. */
  turn(): void {
    if (this.#bytes + this.text.length > MAX_OUTPUT_BYTES) throw tooLarge();
    this.#turns += 1;
    if (this.#turns % TURNS_PER_LOOK === 0 && processorMs() > this.#end)
      throw renderFault(`Rendering took longer than ${this.#maxMs} ms`);
  }

  /** Ends a part. @throws TemplateFault when it is too large. */
  take(): string {
    const { text } = this;
    this.text = '';
    // A UTF-16 unit is at most three bytes of UTF-8: most outputs need no exact count.
    const isNear = this.#bytes + text.length * 3 > MAX_OUTPUT_BYTES;
    this.#bytes += isNear && text.length <= MAX_OUTPUT_BYTES ? Buffer.byteLength(text) : text.length;
    if (this.#bytes > MAX_OUTPUT_BYTES) throw tooLarge();
    return text;
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
