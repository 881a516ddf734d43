import { useState } from 'react';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { NO_ZONE_CLOCK, NOTIFICATIONS, type NotificationKind, type Property } from '#contract/property/property.ts';
import { REPORT_KINDS, type ReportKind } from '#contract/report/report.ts';
import { useAction } from '../../../data/useAction.ts';
import { usePanel } from '../../../frame/panel.ts';
import { MailHint } from '../../../frame/security/MailHint.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Button, Checkbox } from '../../../ui/theme/mantine.ts';
import page from '../ConfigurationPage.module.css';
import { EscalationCard } from './EscalationCard.tsx';
import styles from './NotificationsTab.module.css';
import { QuietHoursCard } from './QuietHoursCard.tsx';
import { clockOf } from './sentences.ts';
import { useChosenPeople } from './useChosenPeople.ts';

interface KindWords {
  readonly title: Untranslated;
  readonly lead: Untranslated;
  readonly none: Untranslated;
}

const KINDS: Readonly<Record<NotificationKind, KindWords>> = translatable({
  complaints: {
    title: 'Complaints',
    lead: 'An email for each rating below Okay, and for each visitor who asks to be contacted.',
    none: 'No one gets an email about complaints here.',
  },
  weekly: {
    title: 'Weekly report',
    lead: 'Last week’s numbers, every Monday at 07:00 in {clock}.',
    none: 'No one gets the weekly report on this property.',
  },
  daily: {
    title: 'Daily report',
    lead: 'Yesterday’s numbers, every day at 07:00 in {clock}.',
    none: 'No one gets the daily report on this property.',
  },
  monthly: {
    title: 'Monthly report',
    lead: 'Last month’s numbers, on the 1st of each month at 07:00 in {clock}.',
    none: 'No one gets the monthly report on this property.',
  },
});

const SEND: Readonly<Record<ReportKind, Untranslated>> = translatable({
  daily: 'Send me yesterday’s now',
  weekly: 'Send me last week’s now',
  monthly: 'Send me last month’s now',
});
const isReport = (kind: NotificationKind): kind is ReportKind => REPORT_KINDS.some((each) => each === kind);

/** Chooses who gets which emails about a property, and when. Each checkbox saves at once. */
export const NotificationsTab = ({ property }: { property: Property }) => (
  <div className={page['cards']}>
    {property.data.timeZone === undefined && <NoZone property={property} />}
    {NOTIFICATIONS.map((kind) => (
      <Recipients key={kind} property={property} kind={kind} />
    ))}
    <QuietHoursCard property={property} />
    <EscalationCard property={property} />
  </div>
);

/** Links to the property panel, which sets the time zone. */
function NoZone({ property: { id: place } }: { property: Property }) {
  const { open } = usePanel();
  return (
    <Notice tone="plain">
      {t('This property has no time zone yet, so its reports and quiet hours use {clock}.', { clock: NO_ZONE_CLOCK })}{' '}
      <TextLink id={SET_ZONE} onClick={() => open('property', { place, opener: SET_ZONE })}>
        {t('Set the time zone')}
      </TextLink>
    </Notice>
  );
}

const SET_ZONE = 'set-zone';

function Recipients({ property, kind }: { property: Property; kind: NotificationKind }) {
  const { users } = useTeam();
  const { chosen, toggle, failure, retry } = useChosenPeople(property, kind);
  const { lead, none } = KINDS[kind];
  const title = t(KINDS[kind].title);
  return (
    <Card title={title} lead={t(lead, { clock: clockOf(property) })}>
      <ul className={styles['people']} aria-label={title}>
        {users.map(({ id, data }) => (
          <li key={id}>
            <Checkbox
              label={data.displayName}
              description={data.invited ? t('{email}, invited, not joined yet', { email: data.emailAddress }) : data.emailAddress}
              checked={chosen.includes(id)}
              disabled={data.invited === true && !chosen.includes(id)}
              onChange={() => toggle(id)}
            />
          </li>
        ))}
      </ul>
      {chosen.length === 0 && <Notice tone="plain">{t(none)}</Notice>}
      {failure !== undefined && (
        <Notice tone="bad">
          {t('Not saved: {reason}', { reason: failure })} <TextLink onClick={retry}>{t('Try again')}</TextLink>
        </Notice>
      )}
      {isReport(kind) && <SendNow property={property} kind={kind} />}
    </Card>
  );
}

/** Emails you the last report, with a hint where to find it in development. */
function SendNow({ property, kind }: { property: Property; kind: ReportKind }) {
  const { user, isDemo } = useTeam();
  const { run, isPending, failure } = useAction('report', 'send');
  const [isSent, setIsSent] = useState(false);
  return (
    <div className={styles['now']}>
      <Button
        variant="default"
        loading={isPending}
        disabled={isDemo}
        onClick={() => void run({ propertyId: property.id, kind }, () => setIsSent(true))}
      >
        {t(SEND[kind])}
      </Button>
      {isDemo && <span>{t('The demo doesn’t send email.')}</span>}
      {isSent && failure === undefined && (
        <>
          <Notice tone="good">{t('The report is on its way to {email}.', { email: user.data.emailAddress })}</Notice>
          <MailHint />
        </>
      )}
      <Notice tone="bad">{failure}</Notice>
    </div>
  );
}
