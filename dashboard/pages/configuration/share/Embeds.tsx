import { IconCode, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language.ts';
import { paths as site } from '../../../paths.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { EmbedDialog } from './EmbedDialog.tsx';
import styles from './Embeds.module.css';
import { type LoadedTools, PlacementList } from './PlacementList.tsx';

/** Where a property's form is shown in websites and mails, each with its ratings. */
export function Embeds(loaded: LoadedTools) {
  const [isAdding, adding] = useLayer('add-embed');
  return (
    <Card
      title={t('On your website and in emails')}
      lead={
        <>
          {t('Show the form in your own pages, or five faces in a mail.')} <Link to={site.guide('embed')}>{t('How it works')}</Link>
        </>
      }
      action={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
          {t('Add to your website')}
        </Button>
      }
    >
      <PlacementList {...loaded} label={t('On your website and in emails')} empty={<NoEmbeds />} />
      <EmbedDialog property={loaded.property} isOpen={isAdding} onClose={adding.close} />
    </Card>
  );
}

const NoEmbeds = () => (
  <EmptyState
    icon={<IconCode size={32} stroke={1.5} aria-hidden />}
    title={t('Not on your website yet.')}
    action={
      <ol className={styles['steps']}>
        <li>{t('Choose how it looks: in the page, behind a button, or as faces in an email.')}</li>
        <li>{t('Give the spot a name, such as “Order page”. Answers show it.')}</li>
        <li>{t('Copy the snippet into your page or mail template.')}</li>
      </ol>
    }
  />
);
