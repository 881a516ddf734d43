import { IconMail } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Property } from '#contract/property/property.ts';
import { useAction } from '../../../data/useAction.ts';
import { MailHint } from '../../../frame/security/MailHint.tsx';
import { useFormAddress } from '../../../frame/share/address.ts';
import { PrintButton } from '../../../frame/share/PrintButton.tsx';
import { TryIt } from '../../../frame/share/TryIt.tsx';
import { usePrintOrder } from '../../../frame/share/usePrintOrder.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { useIsWide } from '../../../ui/hooks.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { usualPaper } from '../../../ui/print/order.ts';
import { QrCode } from '../../../ui/qr/QrCode.tsx';
import { Button, NativeSelect } from '../../../ui/theme/mantine.ts';
import type { Scope } from '../scope.ts';
import styles from './FirstUse.module.css';
import { StepsLeft } from './StepsLeft.tsx';

/** Shown in place of an empty, unfiltered feed: helps to get the first answer within a minute. */
export function FirstUse({ scope }: { scope: Scope }) {
  const { properties, paths } = useTeam();
  const [chosen, choose] = useState<string>();
  const property = scope.of === 'property' ? scope.property : (properties.find(({ id }) => id === chosen) ?? properties[0]);
  const title =
    scope.of === 'property' ? t('No feedback for {name} yet.', { name: scope.property.data.displayName }) : t('No feedback yet.');
  if (!property)
    return (
      <EmptyState
        title={title}
        action={
          <Button component={Link} to={paths.properties}>
            {t('Add a property')}
          </Button>
        }
      >
        {t('Each property has its own feedback form.')}
      </EmptyState>
    );
  return (
    <div className={styles['first']}>
      <ScanIt title={title} property={property}>
        {scope.of === 'account' && properties.length > 1 && (
          <NativeSelect
            label={t('Property')}
            description={t('Each has its own form and code.')}
            data={properties.map(({ id, data }) => ({ value: id, label: data.displayName }))}
            value={property.id}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )}
      </ScanIt>
      <StepsLeft hasAnswer={false} property={property} />
    </div>
  );
}

/** A QR code to scan with your own phone; on a phone, a button comes first. The form opens in test mode, so that the first try isn't counted. */
function ScanIt({ title, property, children }: { title: string; property: Property; children: ReactNode }) {
  const { isDemo } = useTeam();
  const addressOf = useFormAddress();
  const { displayName, formId } = property.data;
  const isWide = useIsWide();
  return (
    <section className={styles['scan']} aria-label={t('First answer')}>
      <QrCode
        text={addressOf(formId, isDemo ? {} : { test: true })}
        label={t('QR code to try the form of {name}', { name: displayName })}
      />
      <div className={styles['beside']}>
        <h2>{title}</h2>
        {children}
        <p>
          {isWide ? t('Scan this with your phone and tap a face.') : t('Open the form and tap a face.')}{' '}
          {t('It arrives here within a second, marked as a test that isn’t counted.')}
        </p>
        <div className={styles['actions']}>
          <TryIt property={property} isPrimary={!isWide} />
          {!isDemo && isWide && <SendLink formId={formId} />}
          <Poster property={property} />
        </div>
        {!isDemo && <MailHint />}
      </div>
    </section>
  );
}

/** Emails you the link, to open the form on a phone without scanning. */
function SendLink({ formId }: { formId: string }) {
  const { user } = useTeam();
  const { run, isPending, failure } = useAction('form', 'sendLink');
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMail size={16} aria-hidden />}
        loading={isPending}
        onClick={() => void run({ formId }, () => toast(t('The link is on its way to {email}.', { email: user.data.emailAddress })))}
      >
        {t('Send the link to my phone')}
      </Button>
      <Notice tone="bad">{failure}</Notice>
    </>
  );
}

/** Prints the poster for visitors. */
function Poster({ property }: { property: Property }) {
  const orderOf = usePrintOrder(property);
  return <PrintButton order={orderOf?.({ kind: 'poster', paper: usualPaper() })}>{t('Print the poster')}</PrintButton>;
}
