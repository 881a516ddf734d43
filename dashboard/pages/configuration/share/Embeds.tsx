import { IconCode, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Property } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { paths as site } from '../../../paths.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { EmbedDialog } from './EmbedDialog.tsx';
import styles from './Embeds.module.css';
import { PlacementRows } from './Placements.tsx';

interface EmbedsProps {
  readonly property: Property;
  /** The placements of type embed; undefined if they couldn't be loaded. */
  readonly tools: readonly Tool[] | undefined;
  readonly isError: boolean;
  readonly onRetry: () => void;
}

/** Where a property's form is shown in websites and mails, each with its ratings. */
export function Embeds({ property, tools, isError, onRetry }: EmbedsProps) {
  const [isAdding, adding] = useLayer('add-embed');
  return (
    <Card
      title="On your website and in emails"
      lead={
        <>
          Show the form in your own pages, or five faces in a mail. <Link to={site.guide('embed')}>How it works</Link>
        </>
      }
      action={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
          Add to your website
        </Button>
      }
    >
      {isError && (
        <Notice tone="bad">
          We couldn’t load the placements{tools && '; this list may be old'}. <TextLink onClick={onRetry}>Try again</TextLink>
        </Notice>
      )}
      {tools?.length === 0 && <NoEmbeds />}
      {tools && tools.length > 0 && <PlacementRows property={property} tools={tools} label="On your website and in emails" />}
      <EmbedDialog property={property} isOpen={isAdding} onClose={adding.close} />
    </Card>
  );
}

const NoEmbeds = () => (
  <EmptyState
    icon={<IconCode size={32} stroke={1.5} aria-hidden />}
    title="Not on your website yet."
    action={
      <ol className={styles['steps']}>
        <li>Choose how it looks: in the page, behind a button, or as faces in an email.</li>
        <li>Give the spot a name, such as “Order page”. Answers show it.</li>
        <li>Copy the snippet into your page or mail template.</li>
      </ol>
    }
  />
);
