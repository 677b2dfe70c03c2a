import type { schemas } from '../../../sdk/src/index.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import classes from './request-view.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** A request as it is sent: the address with the headers, and the body. */
export function RequestView({
  request: { url, headers, body },
}: {
  readonly request: schemas.DeliveryRequest;
}) {
  return (
    <div className={classes.request}>
      <CodeBlock
        isLabelVisible
        label={translate('request.headers')}
        code={[`POST ${url}`, ...headerLines(headers)].join('\n')}
      />
      <CodeBlock isLabelVisible label={translate('request.body')} code={readable(body)} />
    </div>
  );
}

/** Returns the lines of headers. */
export function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Returns a JSON text with line breaks; any other text as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
