import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { BulkActionName } from './bulk-question.ts';
import { texts } from './texts.ts';
import { useBulk } from './use-bulk.ts';

const { translate } = texts;

/** Actions for selected subscribers. Each asks first. */
export function SelectionActions({ onAsk }: { readonly onAsk: (action: BulkActionName) => void }) {
  const { disabledReason } = useBulk();
  const label = translate('bulk.more');
  const entry = (action: BulkActionName) => ({
    id: action,
    title: translate(`bulk.${action}`),
    onAction: () => onAsk(action),
    disabledReason,
  });
  return (
    <>
      <Button size="small" icon="plus" disabledReason={disabledReason} onPress={() => onAsk('add_lists')}>
        {translate('bulk.add_lists')}
      </Button>
      <Menu
        label={label}
        groups={[
          { entries: [entry('remove_lists'), entry('activate'), entry('deactivate')] },
          { entries: [{ ...entry('erase'), isDestructive: true }] },
        ]}
        trigger={<IconButton icon="ellipsis" size="small" label={label} />}
      />
    </>
  );
}
