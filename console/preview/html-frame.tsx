import { useEffect, useRef, useState } from 'react';
import { CONSOLE_PATH } from '../base-path.ts';
import classes from './html-frame.module.css';
import { type FrameContent, readReport } from './messages.ts';

interface HtmlFrameProps {
  /** A whole document or a part of one, from anybody. */
  readonly html: string;
  /** Name of the frame for screen readers. */
  readonly title: string;
  /** Called with the address of the clicked link; null for a click elsewhere. */
  readonly onClick?: (href: string | null) => void;
}

/**
 * Foreign HTML, such as a mail, in a frame without access to the console: its styles apply, its scripts do not run and
 * its links lead nowhere. The frame is as high as its content.
 */
export function HtmlFrame({ html, title, onClick }: HtmlFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const content: FrameContent = { html };
    // The frame has an opaque origin, which cannot be named. Only pages of this server can be in it (`frame-src`).
    if (isLoaded) frame.current?.contentWindow?.postMessage(content, '*');
  }, [html, isLoaded]);
  useEffect(() => {
    const read = ({ source, data }: MessageEvent) => {
      const report = source === frame.current?.contentWindow ? readReport(data) : null;
      if (report?.kind === 'height') setHeight(report.height);
      if (report?.kind === 'click') onClick?.(report.href);
    };
    window.addEventListener('message', read);
    return () => window.removeEventListener('message', read);
  }, [onClick]);
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      style={height === null ? undefined : { blockSize: height }}
      title={title}
      sandbox="allow-scripts"
      src={`${CONSOLE_PATH}/frame`}
      onLoad={() => setLoaded(true)}
    />
  );
}
