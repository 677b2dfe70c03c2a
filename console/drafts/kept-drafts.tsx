import { useEffect, useRef, useState } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { useAction } from '../forms/use-action.ts';
import { readKind } from '../kinds/kinds.ts';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../session/use-tenant-query.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { toasts } from '../ui/toasts.tsx';
import { changesBetween } from './changes.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { isEqual, isMembers, memberOf } from './json.ts';
import classes from './restored-notice.module.css';
import { formatTime } from './restored-notice.tsx';
import { draftTexts } from './texts.ts';
import type { Draft } from './use-draft.ts';

const { translate } = draftTexts;
/** Key of drafts of new items on the server. */
const NEW = 'new';

/** The parts of a draft that concern drafts on the server. */
type ItemDraft = Pick<
  Draft<object>,
  'item' | 'saves' | 'isChanged' | 'base' | 'value' | 'fields' | 'restore'
>;

interface ItemDraftProps {
  readonly draft: ItemDraft;
  /**
   * Called with the time of a draft that the page shows as its own value from now on, and with the value if it is the
   * user's own draft.
   */
  readonly onTaken: (savedAt: string, own?: object) => void;
  /** Absent: always open. */
  readonly isOpen?: boolean;
}

interface KeptDraftsProps extends ItemDraftProps {
  /** Times of the drafts that the page shows as its own value. */
  readonly taken: ReadonlySet<string>;
}

/** The drafts of an item on the server: that of the user from another device, and those that others share. */
export function KeptDrafts({ draft, taken, onTaken }: KeptDraftsProps) {
  const { item, saves } = draft;
  const [type, key] = [item.type, item.itemKey ?? NEW];
  const api = useApi();
  const invalidate = useInvalidate();
  const { data } = useTenantQuery(['drafts', type, key], (client, options) =>
    client.drafts.list({ entity_type: type, key }, options),
  );
  const kept = data?.results ?? [];
  const hasOwn = kept.some(({ is_own }) => is_own);
  const handled = useRef(saves);
  useEffect(() => {
    if (saves === handled.current) return;
    handled.current = saves;
    // Changes that are saved are no draft any more.
    if (hasOwn) void api.drafts.delete(type, key).then(() => invalidate('drafts', type, key));
  }, [api, invalidate, hasOwn, type, key, saves]);
  return kept
    .filter(({ is_own, saved_at }) => !is_own || !taken.has(saved_at))
    .map((each) => <KeptDraft key={each.author.membership_id} kept={each} draft={draft} onTaken={onTaken} />);
}

/** A draft as it is kept on the server: the value, and the saved item that it began with. */
interface KeptContent {
  readonly base: object;
  readonly value: object;
}

/** Returns the content of a kept draft; null if another program has kept something else. */
function readContent(data: unknown): KeptContent | null {
  if (!isMembers(data)) return null;
  const [base, value] = [memberOf(data, 'base'), memberOf(data, 'value')];
  return isMembers(base) && isMembers(value) ? { base, value } : null;
}

interface KeptDraftProps extends ItemDraftProps {
  readonly kept: schemas.ListedDraft;
}

/** A draft of the user from another device, or a shared one of a colleague. */
function KeptDraft({ kept, draft, onTaken }: KeptDraftProps) {
  const { entity_type, key, author, is_own, saved_at } = kept;
  const api = useApi();
  const invalidate = useInvalidate();
  const [compared, setCompared] = useState<KeptContent | null>(null);
  const read = async () => {
    const { data } = await api.drafts.get(entity_type, key, { membership_id: author.membership_id });
    return readContent(data);
  };
  // This browser may have restored the same changes: then there is nothing to continue.
  const stored = useTenantQuery(
    ['drafts', entity_type, key, author.membership_id, saved_at],
    (client, options) =>
      client.drafts.get(entity_type, key, { membership_id: author.membership_id }, options),
    { isNeeded: is_own && draft.isChanged },
  );
  const own = stored.data === undefined ? null : readContent(stored.data.data);
  const isSame = is_own && draft.isChanged && own !== null && isEqual(own.value, draft.value);
  useEffect(() => {
    if (isSame) onTaken(saved_at, own.value);
  });
  const resume = useAction(async () => {
    const content = await read();
    if (content !== null) draft.restore({ ...content, changedAt: Date.parse(saved_at) });
    onTaken(saved_at, is_own ? content?.value : undefined);
  });
  const compare = useAction(async () => setCompared(await read()));
  const discard = useAction(async () => {
    await api.drafts.delete(entity_type, key);
    await invalidate('drafts', entity_type, key);
    toasts.add({ title: translate('kept.discarded') });
  });
  const time = formatTime(Date.parse(saved_at));
  if (isSame) return null;
  return (
    <>
      <Banner
        tone="info"
        isLive
        action={
          <div className={classes.actions}>
            <Button size="small" onPress={resume.run} isPending={resume.isPending}>
              {translate(is_own ? 'kept.continue' : 'kept.copy')}
            </Button>
            <Button size="small" variant="quiet" onPress={compare.run} isPending={compare.isPending}>
              {translate('compare')}
            </Button>
            {is_own ? (
              <Button size="small" variant="quiet" onPress={discard.run} isPending={discard.isPending}>
                {translate('discard')}
              </Button>
            ) : null}
          </div>
        }
      >
        {is_own ? translate('kept.own', { time }) : translate('kept.other', { name: author.name, time })}
      </Banner>
      {compared === null ? null : (
        <CompareDialog
          title={translate('kept.compare', { time })}
          after={translate('kept.side')}
          changes={changesBetween(compared.base, compared.value)}
          fields={draft.fields}
          onClose={() => setCompared(null)}
        />
      )}
    </>
  );
}

interface KeepButtonsProps extends ItemDraftProps {
  /** The user's own draft on the server as this page last kept or read it. */
  readonly kept: object | null;
}

/** Buttons that keep the user's changes on the server, for themselves or for everybody who can see the record. */
export function KeepButtons({ draft, kept, onTaken }: KeepButtonsProps) {
  const { item, base, value } = draft;
  const key = item.itemKey ?? NEW;
  const api = useApi();
  const invalidate = useInvalidate();
  const keep = async (shared: boolean) => {
    const version = memberOf({ ...base }, 'version');
    const { saved_at } = await api.drafts.put(item.type, key, {
      base_version: typeof version === 'number' ? version : null,
      data: { base, value },
      shared,
    });
    onTaken(saved_at, value);
    await invalidate('drafts', item.type, key);
    toasts.add({ title: translate(shared ? 'keep.shared' : 'keep.done') });
  };
  const own = useAction(() => keep(false));
  const shared = useAction(() => keep(true));
  const canShare = item.itemKey !== null && readKind(item.type) !== null;
  if (!draft.isChanged) return null;
  const isKept = kept !== null && isEqual(kept, value);
  return (
    <Banner
      tone="neutral"
      action={
        <div className={classes.actions}>
          {isKept ? null : (
            <Button size="small" onPress={own.run} isPending={own.isPending}>
              {translate('keep')}
            </Button>
          )}
          {canShare ? (
            <Button size="small" variant="quiet" onPress={shared.run} isPending={shared.isPending}>
              {translate('keep.share')}
            </Button>
          ) : null}
        </div>
      }
    >
      {translate(isKept ? 'keep.kept' : 'keep.help')}
    </Banner>
  );
}
