import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { LinkButton } from './link-button.tsx';
import { uiTexts } from './texts.ts';
import classes from './toasts.module.css';

/** The result of an action. */
export interface ToastMessage {
  /** The event, such as "Unit North archived". */
  readonly title: string;
  readonly tone?: 'success' | 'danger';
  /** Reverts the action. */
  readonly undo?: () => Promise<void>;
  /** A screen on which the user can go on, such as the bin. */
  readonly link?: { readonly title: string; readonly href: string };
}

const SHOWN = 3;
const TIMEOUT_MS = 6000;
const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: SHOWN });

/** Messages about actions, at the edge of the page. Errors stay until they are closed. */
export const toasts = {
  /** Shows a message. */
  add(message: ToastMessage): void {
    queue.add(message, message.tone === 'danger' ? {} : { timeout: TIMEOUT_MS });
  },
};

/** Shows the messages of {@link toasts}; a page has one. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={classes.region ?? ''} aria-label={uiTexts.translate('toasts')}>
      {({ toast }) => {
        const { title, tone = 'success', undo, link } = toast.content;
        return (
          <Toast toast={toast} className={classes.toast ?? ''} data-tone={tone}>
            <Icon name={tone === 'danger' ? 'circle-alert' : 'circle-check'} className={classes.icon} />
            <ToastContent className={classes.words ?? ''}>
              <Text slot="title">{title}</Text>
            </ToastContent>
            {undo === undefined ? null : (
              <Button size="small" slot={null} onPress={() => void revert(toast.key, undo)}>
                {uiTexts.translate('undo')}
              </Button>
            )}
            {link === undefined ? null : (
              <LinkButton size="small" href={link.href}>
                {link.title}
              </LinkButton>
            )}
            <IconButton icon="x" size="small" slot="close" label={uiTexts.translate('close')} />
          </Toast>
        );
      }}
    </ToastRegion>
  );
}

async function revert(key: string, undo: () => Promise<void>): Promise<void> {
  queue.close(key);
  try {
    await undo();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    // The server may be away for a moment: the user can try again.
    return toasts.add({ title: cause.message, tone: 'danger', undo });
  }
  toasts.add({ title: uiTexts.translate('undone') });
}
