import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as v from 'valibot';
import { customerEmail, mayBeAskedAgain, type Suppression, type SuppressionReason } from '#contract/feedback-request/feedback-request.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { suppressionsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { PagedList } from '../../../frame/PagedList.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { day } from '../../../ui/format/time.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { Form } from '../../../ui/forms/Form.tsx';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { useForm } from '../../../ui/forms/useForm.ts';
import { useLastDefined } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './Requests.module.css';

const SCHEMA = v.object({ email: customerEmail });
const REASONS: Readonly<Record<SuppressionReason, Untranslated>> = translatable({
  unsubscribed: 'Unsubscribed',
  complained: 'Reported an email as spam',
  bounced: 'The address doesn’t exist',
  added: 'Added by your team',
});

/** The addresses that the account never asks, which an admin can add to. */
export function Suppressions() {
  const { account } = useTeam();
  const suppress = useAction('feedbackRequest', 'suppress');
  const form = useForm({ initialValues: { email: '' }, schema: SCHEMA, action: suppress });
  const [search, setSearch] = useState('');
  const query = useInfiniteQuery({
    ...suppressionsQuery(useSource(), { accountId: account.id, search }),
    select: ({ pages }) => pages.flatMap(({ suppressions }) => suppressions),
  });
  const isLoaded = useLastDefined(query.data) !== undefined;
  const isUnused = query.data?.length === 0 && search === '';

  function add({ email }: { email: string }): void {
    void suppress.run({ email }, ({ suppression }) => {
      // The next one may be typed already.
      if (form.getValues().email === email) form.reset();
      toast(t('{address} won’t be asked.', { address: suppression.data.email ?? t('The address') }));
    });
  }

  return (
    <Card
      title={t('Addresses that aren’t asked')}
      lead={t('In any of your properties. Customers who unsubscribe are added, and can only be asked again if they undo it.')}
    >
      <div className={styles['list']}>
        <Form label={t('Add an address')} onSubmit={form.onSubmit(add)}>
          <div className={styles['field']}>
            <TextField
              label={t('Email address')}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps('email')}
            />
            <Button type="submit" variant="default" loading={suppress.isPending}>
              {t('Don’t ask')}
            </Button>
          </div>
          <Notice tone="bad">{suppress.problemOf('email') === undefined && suppress.failure}</Notice>
        </Form>
        {isUnused ? (
          <p className={styles['quiet']}>{t('No address yet.')}</p>
        ) : (
          <>
            {isLoaded && <SearchField label={t('Search addresses')} settles={300} onSearch={setSearch} />}
            <PagedList name={t('Addresses')} empty={t('No addresses.')} keyOf={({ id }) => id} search={search} query={query}>
              {(suppression) => <SuppressionRow suppression={suppression} />}
            </PagedList>
          </>
        )}
      </div>
    </Card>
  );
}

function SuppressionRow({ suppression }: { suppression: Suppression }) {
  const { id, data } = suppression;
  const { email = t('Erased address'), reason, created } = data;
  const unsuppress = useAction('feedbackRequest', 'unsuppress', { allowNotFound: true });
  return (
    <div className={styles['suppression']}>
      <div className={styles['customer']}>
        <strong dir="auto">{email}</strong>
        <span className={styles['quiet']}>
          {t(REASONS[reason])} · {day(created)}
        </span>
        <Notice tone="bad">{unsuppress.failure}</Notice>
      </div>
      {mayBeAskedAgain(suppression) && (
        <Button
          variant="default"
          size="compact-sm"
          loading={unsuppress.isPending}
          aria-label={t('Allow {address}', { address: email })}
          onClick={() => void unsuppress.run({ suppressionId: id }, () => toast(t('{address} may be asked again.', { address: email })))}
        >
          {t('Allow')}
        </Button>
      )}
    </div>
  );
}
