import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Property } from '#contract/property/property.ts';
import { t } from '../../../language.ts';
import { FileInput } from '../../../ui/forms/FileInput.tsx';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Later, loadedLater } from '../../../ui/page/Later.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button, Textarea } from '../../../ui/theme/mantine.ts';
import { fileText } from './file-text.ts';
import styles from './Requests.module.css';

const ReviewList = loadedLater(() => import('./ReviewList.tsx'), 'ReviewList');

/** In bytes. */
const LARGEST_FILE = 1_000_000;

/** Takes addresses, a pasted table or a CSV file, and opens the review of what is sent to whom. */
export function AskCard({ property }: { property: Property }) {
  const [list, setList] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isReviewing, review] = useLayer('review-list');
  const file = useRef<HTMLInputElement>(null);

  async function open(chosen: File): Promise<void> {
    if (chosen.size > LARGEST_FILE) setProblem(t('This file is larger than 1 MB. Please split it.'));
    else {
      setProblem(undefined);
      setList(fileText(await chosen.arrayBuffer()));
      review.open();
    }
  }

  return (
    <Card title={t('Ask customers by email')} lead={t('They get one email with five faces. A tap on a face saves their answer.')}>
      <Form label={t('Ask customers by email')} onSubmit={() => list.trim() !== '' && review.open()}>
        <Textarea
          label={t('Customers')}
          description={t(
            'An email address on each line, or rows copied from a spreadsheet, also with names, languages and dates of visits.',
          )}
          autosize
          minRows={3}
          maxRows={10}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={list}
          onChange={({ currentTarget }) => setList(currentTarget.value)}
        />
        <FileInput ref={file} accept=".csv,.tsv,.txt,text/csv,text/plain" label={t('CSV file')} onChoose={open} />
        <div>
          <Button variant="default" leftSection={<IconFileSpreadsheet size={16} aria-hidden />} onClick={() => file.current?.click()}>
            {t('Choose a CSV file')}
          </Button>
        </div>
        <Notice tone="bad">{problem}</Notice>
        <Aside>
          {t('Ask everyone who visited. Google, Yelp and Trustpilot don’t allow choosing customers whom you expect to be happy.')}
        </Aside>
        <Submit missing={list.trim() === '' ? t('Enter at least one address.') : undefined} isPending={false} failure={undefined}>
          {t('Review and send')}
        </Submit>
      </Form>
      <Dialog
        // A page that is loaded again has no list.
        isOpen={isReviewing && list.trim() !== ''}
        onClose={review.close}
        title={t('Ask customers of {property}', { property: property.data.displayName })}
        size="lg"
      >
        <Later waiting={<p className={styles['quiet']}>{t('Reading the list…')}</p>}>
          <ReviewList
            list={list}
            property={property}
            onDone={() => {
              review.close();
              setList((latest) => (latest === list ? '' : latest));
            }}
          />
        </Later>
      </Dialog>
    </Card>
  );
}
