import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuGroup } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { LONG_TEXT } from './samples.ts';
import { Specimen } from './specimen.tsx';

/** Everything that opens above the page. */
export function OverlayParts() {
  return (
    <>
      <Menus />
      <Dialogs />
      <Drawers />
      <Messages />
    </>
  );
}

const noAction = () => undefined;

const GROUPS: readonly MenuGroup[] = [
  {
    title: 'Newsletter sign-up',
    entries: [
      { id: 'edit', title: 'Edit', icon: 'pencil', keys: 'E', onAction: noAction },
      { id: 'copy', title: 'Duplicate', icon: 'copy', keys: 'Mod+D', onAction: noAction },
      { id: 'open', title: 'Open page', icon: 'external-link', href: '/dev/parts' },
    ],
  },
  {
    entries: [
      {
        id: 'en',
        title: 'English',
        description: 'Language of the form',
        isCurrent: true,
        onAction: noAction,
      },
      { id: 'de', title: 'German', isDisabled: true },
      { id: 'long', title: LONG_TEXT },
    ],
  },
  {
    entries: [{ id: 'delete', title: 'Delete form', icon: 'trash', isDestructive: true, onAction: noAction }],
  },
];

function Menus() {
  return (
    <Specimen name="Menu, Popover, Tooltip">
      <Menu
        label="Form"
        groups={GROUPS}
        trigger={<Button icon="ellipsis">Menu</Button>}
        placement="bottom start"
      />
      <Menu
        label="More actions"
        groups={GROUPS}
        trigger={<IconButton icon="ellipsis" label="More actions" />}
      />
      <Popover trigger={<Button>Popover</Button>}>
        <Checkbox label="Name" defaultSelected />
        <Checkbox label="Created" defaultSelected />
        <Checkbox label="Answers" />
      </Popover>
      <Tooltip text={LONG_TEXT} keys="Mod+S">
        <Button>Tooltip</Button>
      </Tooltip>
    </Specimen>
  );
}

type Question = 'none' | 'dialog' | 'confirm' | 'word';

function Dialogs() {
  const [question, setQuestion] = useState<Question>('none');
  const close = () => setQuestion('none');
  return (
    <Specimen name="Dialog, ConfirmDialog">
      <Button onPress={() => setQuestion('dialog')}>Dialog</Button>
      <Button onPress={() => setQuestion('confirm')}>ConfirmDialog</Button>
      <Button onPress={() => setQuestion('word')}>ConfirmDialog with a word</Button>
      <Dialog title="Rename form" isOpen={question === 'dialog'} onClose={close}>
        <TextField label="Name" defaultValue="Newsletter sign-up" autoFocus />
      </Dialog>
      <ConfirmDialog
        title="Revoke this key?"
        action="Revoke key"
        isOpen={question === 'confirm'}
        isPending={false}
        onConfirm={close}
        onClose={close}
      >
        Programs that use it get an error from now on. 1,204 calls came in the last hour.
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete 41,203 subscribers?"
        action="Delete subscribers"
        word="customers"
        isOpen={question === 'word'}
        isPending={false}
        onConfirm={close}
        onClose={close}
      >
        They are erased with their answers and their history. This cannot be undone.
      </ConfirmDialog>
    </Specimen>
  );
}

function Drawers() {
  const [width, setWidth] = useState<'medium' | 'wide' | null>(null);
  return (
    <Specimen name="Drawer">
      <Button onPress={() => setWidth('medium')}>Drawer of 480 px</Button>
      <Button onPress={() => setWidth('wide')}>Drawer of 720 px</Button>
      <Drawer
        title="Newsletter sign-up"
        status={<Badge tone="success">Published</Badge>}
        description="Form of the business unit North"
        width={width ?? 'medium'}
        isOpen={width !== null}
        onClose={() => setWidth(null)}
      >
        <DescriptionList
          items={[
            { term: 'Address', value: 'https://example.com/sign-up' },
            { term: 'Answers', value: '41,203' },
            { term: 'Description', value: LONG_TEXT },
          ]}
        />
      </Drawer>
    </Specimen>
  );
}

function Messages() {
  return (
    <Specimen name="Toasts">
      <Button onPress={() => toasts.add({ title: 'Form archived', undo: async () => undefined })}>
        With undo
      </Button>
      <Button onPress={() => toasts.add({ title: LONG_TEXT })}>Long text</Button>
      <Button onPress={() => toasts.add({ title: 'The form has unsaved changes', tone: 'danger' })}>
        Error
      </Button>
    </Specimen>
  );
}
