import { type ReactNode, useState } from 'react';
import { chooseTheme, chosenTheme, THEMES } from '../../shell/theme.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChoiceParts } from './choice-parts.tsx';
import { DataParts } from './data-parts.tsx';
import { DraftParts } from './draft-parts.tsx';
import { FeedbackParts } from './feedback-parts.tsx';
import { FieldParts } from './field-parts.tsx';
import { FormParts } from './form-parts.tsx';
import { OverlayParts } from './overlay-parts.tsx';
import classes from './parts.module.css';
import { PreviewParts } from './preview-parts.tsx';
import { TableParts } from './table-parts.tsx';

const GROUPS: readonly (readonly [title: string, content: () => ReactNode])[] = [
  ['Feedback', FeedbackParts],
  ['Fields', FieldParts],
  ['Choices', ChoiceParts],
  ['Forms', FormParts],
  ['Overlays', OverlayParts],
  ['Data', DataParts],
  ['Drafts', DraftParts],
  ['Previews', PreviewParts],
  ['Tables', TableParts],
];

/** All components in all their states, for developers. Its own texts are in English only. */
export function Parts() {
  const [theme, setTheme] = useState(chosenTheme);
  const [isRightToLeft, setRightToLeft] = useState(false);
  const turn = () => {
    document.documentElement.dir = isRightToLeft ? 'ltr' : 'rtl';
    setRightToLeft(!isRightToLeft);
  };
  const changeTheme = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <main className={classes.page}>
      <PageHeader
        title="Parts"
        status={<Badge tone="info">Development</Badge>}
        description="All components of the console in all their states."
        actions={
          <>
            <Button onPress={turn}>{isRightToLeft ? 'Left to right' : 'Right to left'}</Button>
            <Button onPress={changeTheme}>{`Theme: ${theme}`}</Button>
          </>
        }
        menu={[{ entries: [{ id: 'icons', title: 'Show icons', icon: 'palette' }] }]}
      />
      {GROUPS.map(([title, Content]) => (
        <section key={title} className={classes.group} aria-labelledby={title}>
          <h2 id={title}>{title}</h2>
          <Content />
        </section>
      ))}
    </main>
  );
}
