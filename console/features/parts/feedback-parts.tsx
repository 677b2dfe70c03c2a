import { useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { LONG_TEXT, LONG_WORD } from './samples.ts';
import { Specimen } from './specimen.tsx';

/** Buttons, links, status, notices and the frame of a page. */
export function FeedbackParts() {
  return (
    <>
      <Buttons />
      <Links />
      <Statuses />
      <Frames />
      <Notices />
      <States />
    </>
  );
}

function Buttons() {
  const [isPending, setPending] = useState(false);
  return (
    <>
      <Specimen name="Button">
        <Button variant="primary">Create form</Button>
        <Button>Send test email</Button>
        <Button variant="quiet">Cancel</Button>
        <Button variant="danger">Delete form</Button>
        <Button variant="quiet-danger">Delete form</Button>
        <Button variant="primary" icon="plus">
          Create form
        </Button>
        <Button icon="refresh-cw" keys="Mod+R">
          Refresh
        </Button>
      </Specimen>
      <Specimen name="Button, small">
        <Button size="small" variant="primary">
          Create form
        </Button>
        <Button size="small">Send test email</Button>
        <Button size="small" variant="quiet" icon="pencil">
          Edit
        </Button>
        <Button size="small" variant="danger">
          Delete form
        </Button>
      </Specimen>
      <Specimen name="Button, disabled, refused with a reason, pending">
        <Button variant="primary" isDisabled>
          Create form
        </Button>
        <Button isDisabled>Send test email</Button>
        <Button variant="primary" disabledReason="Needs the role editor">
          Publish
        </Button>
        <Button variant="quiet" disabledReason="Needs the role admin">
          Archive
        </Button>
        <Button variant="primary" isPending>
          Create form
        </Button>
        <Button isPending={isPending} onPress={() => setPending(true)}>
          {isPending ? 'Sending' : 'Send (press)'}
        </Button>
        <Button>{LONG_TEXT}</Button>
      </Specimen>
      <Specimen name="IconButton, CopyButton">
        <IconButton icon="ellipsis" label="More actions" />
        <IconButton icon="pencil" label="Edit" keys="E" variant="secondary" />
        <IconButton icon="plus" label="Create form" variant="primary" />
        <IconButton icon="x" label="Close" size="small" />
        <IconButton icon="trash" label="Delete" isDisabled />
        <CopyButton text="copied" />
        <CopyButton text="copied" label="Copy link" isLabelVisible />
      </Specimen>
    </>
  );
}

function Links() {
  return (
    <Specimen name="LinkButton, TextLink, Kbd, Spinner">
      <LinkButton href="/dev/parts" variant="primary" icon="plus">
        Create form
      </LinkButton>
      <LinkButton href="/dev/parts">Open settings</LinkButton>
      <span>
        Read <TextLink href="/dev/parts">how forms work</TextLink> or{' '}
        <TextLink href="https://example.com" isExternal>
          the specification
        </TextLink>
        .
      </span>
      <TextLink href="/dev/parts" isQuiet>
        Quiet link
      </TextLink>
      <Kbd keys="Mod+K" />
      <Kbd keys="Shift+Enter" />
      <Spinner />
    </Specimen>
  );
}

function Statuses() {
  return (
    <>
      <Specimen name="Badge">
        <Badge>Draft</Badge>
        <Badge tone="info">Scheduled</Badge>
        <Badge tone="success">Delivered</Badge>
        <Badge tone="warning">Delayed</Badge>
        <Badge tone="danger">Failed</Badge>
        <Badge tone="info">{LONG_TEXT}</Badge>
      </Specimen>
      <Specimen name="Avatar">
        <Avatar name="Ada Lovelace" size={20} />
        <Avatar name="Ada Lovelace" />
        <Avatar name="Ödön von Horváth" size={32} />
        <Avatar name="Acme" size={40} isSquare />
        <Avatar name="" />
      </Specimen>
    </>
  );
}

function Frames() {
  return (
    <Specimen name="Section, Card" isGrid>
      <Card>
        <Section
          title="Sending domain"
          description="Receivers trust mail that this domain signs."
          actions={<Button size="small">Verify</Button>}
        >
          <Card>mail.example.com</Card>
        </Section>
      </Card>
      <Card>
        <Section title={LONG_WORD} description={LONG_TEXT}>
          <Card>{LONG_TEXT}</Card>
        </Section>
      </Card>
    </Specimen>
  );
}

function Notices() {
  return (
    <Specimen name="Banner" isGrid>
      <Banner>New events appear within a minute.</Banner>
      <Banner tone="neutral">This version is kept for 30 days.</Banner>
      <Banner tone="success" title="The domain is verified" onDismiss={() => undefined} />
      <Banner tone="warning" title="3 addresses bounced" action={<Button size="small">Show them</Button>}>
        They are suppressed until you remove them from the list.
      </Banner>
      <Banner tone="danger" title="Sending is stopped" onDismiss={() => undefined}>
        {LONG_TEXT}
      </Banner>
    </Specimen>
  );
}

function States() {
  return (
    <Specimen name="Skeleton, EmptyState, ErrorState" isGrid>
      <Card>
        <Skeleton />
      </Card>
      <Card isFlush>
        <Skeleton shape="rows" count={4} />
      </Card>
      <Card>
        <Skeleton shape="fields" count={2} />
      </Card>
      <Card>
        <EmptyState
          drawing="list"
          title="Forms collect answers on your pages and send them to your systems."
          action={
            <Button variant="primary" icon="plus">
              Create form
            </Button>
          }
          link={<TextLink href="/dev/parts">How forms work</TextLink>}
        />
      </Card>
      <Card>
        <EmptyState
          drawing="search"
          title="No form matches “invoice”."
          action={<Button>Remove the filter</Button>}
        />
      </Card>
      <Card>
        <ErrorState title="Forms could not be loaded" requestId="01JDZ8Q5W6F4" onRetry={() => undefined}>
          The server did not answer within 10 seconds. Try again, or check its status.
        </ErrorState>
      </Card>
    </Specimen>
  );
}
