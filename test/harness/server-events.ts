/** Parses server-sent events. */

/** A parsed event. */
export interface ReceivedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary data.
  readonly data: any;
}

/** Returns the events of a complete response, without comments. */
export function eventsIn(text: string): ReceivedEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  return frames.map((frame) => {
    const lines = new Map(
      frame.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    );
    return { event: lines.get('event') ?? 'message', data: JSON.parse(lines.get('data') ?? 'null') };
  });
}
