/** Compiles sources and renders messages; runs in a rendering thread only. */
import type { RenderedMessage, RenderSource, TemplatePart } from './contract.ts';
import { rootScope } from './expressions.ts';
import { Output } from './output.ts';
import { type Piece, readPieces } from './pieces.ts';
import { compileProgram, type Program, type ValueContexts } from './program.ts';
import { htmlToText, inlineStyles, toPlainText } from './skeleton.ts';
import { inPart, toTemplateError } from './template-fault.ts';
import { joinParts, type TextParts } from './text-parts.ts';

/** A compiled source. */
export interface CompiledTemplate {
  /** Renders one message. Never throws; exceeding `maxMs` or the output limit is an error result. */
  readonly render: (data: unknown, maxMs: number) => RenderedMessage;
}

interface Programs {
  readonly subject: Program;
  readonly html: Program;
  readonly text: Program | 'none' | 'from html';
}

/**
 * Compiles a source. Calls `onStep` between the stages, each of which may take long.
 * @throws TemplateFault when it does not parse or includes an invalid snippet.
 */
export function compileTemplate(
  { subject, html, text, generateText, snippets }: RenderSource,
  inlineCss: boolean,
  onStep: () => void,
): CompiledTemplate {
  const compilePlain = (part: TemplatePart, content: string) =>
    inPart(part, () => compileProgram(readPieces(content, snippets), 'none', new Map()));
  const contexts: ValueContexts = new Map();
  const subjectProgram = compilePlain('subject', subject);
  onStep();
  const htmlPart = inPart('html', () => {
    const written = readPieces(html, snippets);
    onStep();
    const pieces = inlineCss ? inlineStyles(written) : written;
    onStep();
    return { pieces, program: compileProgram(pieces, 'html', contexts) };
  });
  onStep();
  const textProgram = generateText
    ? deriveText(htmlPart.pieces, contexts)
    : text === null
      ? 'none'
      : compilePlain('text', text);
  const programs: Programs = { subject: subjectProgram, html: htmlPart.program, text: textProgram };
  return { render: (data, maxMs) => render(programs, data, maxMs) };
}

function deriveText(pieces: readonly Piece[], contexts: ValueContexts): Programs['text'] {
  const derived = toPlainText(pieces);
  return derived === null ? 'from html' : compileProgram(derived, 'derived', contexts);
}

/** Reads the parts of a source without its snippets. @throws TemplateFault of kind syntax. */
export function checkTemplate({ subject, html, text }: RenderSource): void {
  const parts: readonly [TemplatePart, string | null][] = [
    ['subject', subject],
    ['html', html],
    ['text', text],
  ];
  for (const [part, content] of parts)
    inPart(part, () => compileProgram(readPieces(content ?? '', null), 'none', new Map()));
}

function render({ subject, html, text }: Programs, data: unknown, maxMs: number): RenderedMessage {
  const scope = rootScope(data);
  const output = new Output(maxMs);
  let part: TemplatePart = 'subject';
  const run = (program: Program): TextParts => {
    program(scope, output);
    return output.take();
  };
  try {
    // A line break in the subject would begin another header.
    const renderedSubject = joinParts(run(subject)).replaceAll(/[\r\n]+/g, ' ');
    part = 'html';
    const renderedHtml = run(html);
    part = 'text';
    const renderedText =
      text === 'none'
        ? null
        : text === 'from html'
          ? htmlToText(joinParts(renderedHtml))
          : collapseEmptyLines(joinParts(run(text)));
    return { ok: true, subject: renderedSubject, html: renderedHtml, text: renderedText };
  } catch (thrown) {
    return { ok: false, error: toTemplateError(thrown, part) };
  }
}

/** Collapses the empty lines that empty blocks leave. */
function collapseEmptyLines(text: string): string {
  return text.includes('\n\n\n') ? text.replaceAll(/\n{3,}/g, '\n\n') : text;
}
