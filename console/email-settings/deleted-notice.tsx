import type { Draft } from '../drafts/use-draft.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

interface DeletedNoticeProps {
  readonly draft: Pick<Draft<object>, 'discard'>;
  readonly text: string;
  /** Label of the button that discards the changes. */
  readonly action: string;
  readonly onDone: () => void;
}

/** Says that somebody else has deleted an entry. The button of the form adds it again. */
export function DeletedNotice({ draft, text, action, onDone }: DeletedNoticeProps) {
  const discard = () => {
    draft.discard();
    onDone();
  };
  return (
    <Banner
      tone="warning"
      isLive
      action={
        <Button size="small" onPress={discard}>
          {action}
        </Button>
      }
    >
      {text}
    </Banner>
  );
}
