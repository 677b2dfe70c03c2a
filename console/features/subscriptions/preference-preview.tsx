import preview from 'operation:preference_page.preview';
import { useEffect, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { checkFields } from '../../forms/check-fields.ts';
import { HtmlFrame } from '../../preview/html-frame.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './preference-preview.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** Pause in typing after which the preview follows, in ms. */
const PAUSE_MS = 250;
/** Height of the placeholder, about that of a page with two types. */
const HEIGHT = 520;

interface PreferencePreviewProps {
  readonly types: readonly schemas.SubscriptionType[];
}

/** The preference page as it would be with these types. Types that cannot be saved yet are left out. */
export function PreferencePreview({ types }: PreferencePreviewProps) {
  const shown = useSettled(types).filter(isComplete);
  const pathOf = useTenantPath();
  const { data, error, isFetching, isPlaceholderData, refetch } = useTenantQuery(
    ['preference-page', shown],
    (api, options) => api.preferencePage.preview({ subscription_types: shown }, options),
  );
  return (
    <div className={classes.preview}>
      <Section
        title={translate('preview')}
        description={translate('preview.text')}
        actions={
          <LinkButton href={pathOf('settings')} size="small" icon="palette">
            {translate('preview.brand')}
          </LinkButton>
        }
      >
        {data !== undefined ? (
          <Card isFlush>
            <div aria-busy={isPlaceholderData}>
              <HtmlFrame title={translate('preview.frame')} html={data.html} />
            </div>
          </Card>
        ) : error === null ? (
          <Skeleton shape="block" height={HEIGHT} />
        ) : (
          <LoadFailure
            title={translate('preview.failed')}
            error={error}
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
      </Section>
    </div>
  );
}

/** Returns a value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function isComplete(type: schemas.SubscriptionType): boolean {
  return checkFields(preview, { subscription_types: [type] }).length === 0;
}
