/** Messages between a page of the console and the frame in which it shows foreign HTML. */

/** The content to show in the frame. */
export interface FrameContent {
  readonly html: string;
}

/** A report of the frame: the height of its content, or a click with the address of the clicked link. */
export type FrameReport =
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'click'; readonly href: string | null };

/** Maximum height of the frame, in CSS pixels. */
const MAX_HEIGHT = 100_000;

/** Returns the content in the data of a message; null if it is another message. */
export function readContent(data: unknown): FrameContent | null {
  const { html } = Object(data);
  return typeof html === 'string' ? { html } : null;
}

/** Returns the report in the data of a message; null if it is another message. */
export function readReport(data: unknown): FrameReport | null {
  const { kind, height, href } = Object(data);
  if (kind === 'height' && typeof height === 'number' && height >= 0)
    return { kind, height: Math.min(height, MAX_HEIGHT) };
  return kind === 'click' && (href === null || typeof href === 'string') ? { kind, href } : null;
}
