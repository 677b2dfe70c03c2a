import { useMatch } from '@tanstack/react-router';
import { API_URL } from '../../base-path.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { formTexts } from '../texts.ts';
import { type ApiCall, credentialOf, withoutSecrets } from './api-call.ts';
import classes from './api-call-drawer.module.css';
import { toCurl } from './curl.ts';
import { toSdkCode } from './sdk-code.ts';

const { translate } = formTexts;
const ACTIVATION = '/api/client/v1/business-units/{bu_id}/activate';

interface ApiCallDrawerProps extends Pick<ApiCall, 'operation' | 'path' | 'body'> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A call as a command and as a program, without secrets. */
export function ApiCallDrawer({ operation, path, body, isOpen, onClose }: ApiCallDrawerProps) {
  const match = useMatch({ from: '/t/$tenant', shouldThrow: false });
  const hasUnit = operation.credential === 'ApiKey' && match?.search.unit !== undefined;
  const call: ApiCall = { operation, path, body, url: API_URL, hasUnit };
  const block = (code: string, title: string) => <CodeBlock label={title} code={code} />;
  return (
    <Drawer
      title={translate('call.title')}
      description={translate('call.text')}
      width="wide"
      isOpen={isOpen}
      onClose={onClose}
    >
      <Tabs
        label={translate('call.title')}
        tabs={[
          { id: 'curl', title: translate('call.curl'), content: block(toCurl(call), translate('call.curl')) },
          { id: 'sdk', title: translate('call.sdk'), content: block(toSdkCode(call), translate('call.sdk')) },
        ]}
      />
      <ul className={classes.notes}>
        {notesOf(call).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Drawer>
  );
}

/** Explains how to get the values that the code omits. */
function notesOf({ operation, body = {}, hasUnit }: ApiCall): string[] {
  const credential = credentialOf(operation);
  const isMasked = /"<\w+>"/.test(JSON.stringify(withoutSecrets(operation.fields, body)));
  return [
    ...(credential === 'ApiKey' ? [translate('call.key')] : []),
    ...(credential === 'AccessToken' ? [translate('call.token')] : []),
    ...(hasUnit ? [translate('call.unit', { path: ACTIVATION })] : []),
    ...(isMasked ? [translate('call.secrets')] : []),
  ];
}
