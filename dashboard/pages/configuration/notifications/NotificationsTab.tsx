import { useState } from 'react';
import { NO_ZONE_CLOCK, NOTIFICATIONS, type NotificationKind, type Property } from '#contract/property/property.ts';
import { REPORT_KINDS, type ReportKind } from '#contract/report/report.ts';
import { useAction } from '../../../data/useAction.ts';
import { usePanel } from '../../../frame/panel.ts';
import { MailHint } from '../../../frame/security/MailHint.tsx';
import { useTeam } from '../../../frame/team.ts';
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
  readonly title: string;
  readonly lead: (clock: string) => string;
  readonly nobody: string;
}

const KINDS: Readonly<Record<NotificationKind, KindWords>> = {
  complaints: {
    title: 'Complaints',
    lead: () => 'Who gets an email for each rating below Okay, and for each visitor who asks to be contacted.',
    nobody: 'Nobody gets an email about complaints here.',
  },
  weekly: {
    title: 'Weekly report',
    lead: (clock) => `Who gets the numbers of each week on Monday at 07:00, ${clock}.`,
    nobody: 'Nobody gets the weekly report on this property.',
  },
  daily: {
    title: 'Daily report',
    lead: (clock) => `Who gets the numbers of each day the next morning at 07:00, ${clock}.`,
    nobody: 'Nobody gets the daily report on this property.',
  },
  monthly: {
    title: 'Monthly report',
    lead: (clock) => `Who gets the numbers of each month on the first of the next at 07:00, ${clock}.`,
    nobody: 'Nobody gets the monthly report on this property.',
  },
};

const LAST: Readonly<Record<ReportKind, string>> = { daily: 'yesterday’s', weekly: 'last week’s', monthly: 'last month’s' };
const isReport = (kind: NotificationKind): kind is ReportKind => REPORT_KINDS.some((each) => each === kind);

/** Who of the team gets which mails about a property, and when. Each tick is saved at once. */
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

/** Leads to where the zone is chosen, with the name. */
function NoZone({ property: { id: place } }: { property: Property }) {
  const { open } = usePanel();
  return (
    <Notice tone="plain">
      This property has no time zone yet, so its reports and quiet hours use {NO_ZONE_CLOCK}.{' '}
      <TextLink id={SET_ZONE} onClick={() => open('property', { place, opener: SET_ZONE })}>
        Set the time zone
      </TextLink>
    </Notice>
  );
}

const SET_ZONE = 'set-zone';

function Recipients({ property, kind }: { property: Property; kind: NotificationKind }) {
  const { users } = useTeam();
  const { chosen, toggle, failure, retry } = useChosenPeople(property, kind);
  const { title, lead, nobody } = KINDS[kind];
  return (
    <Card title={title} lead={lead(`in ${clockOf(property)}`)}>
      <ul className={styles['people']} aria-label={title}>
        {users.map(({ id, data }) => (
          <li key={id}>
            <Checkbox
              label={data.displayName}
              description={data.invited ? `${data.emailAddress}, invited and not joined yet` : data.emailAddress}
              checked={chosen.includes(id)}
              disabled={data.invited === true && !chosen.includes(id)}
              onChange={() => toggle(id)}
            />
          </li>
        ))}
      </ul>
      {chosen.length === 0 && <Notice tone="plain">{nobody}</Notice>}
      {failure !== undefined && (
        <Notice tone="bad">
          Not saved: {failure} <TextLink onClick={retry}>Try again</TextLink>
        </Notice>
      )}
      {isReport(kind) && <SendNow property={property} kind={kind} />}
    </Card>
  );
}

/** Mails the report on the last period to whoever presses, and says where mails lie that are not sent. */
function SendNow({ property, kind }: { property: Property; kind: ReportKind }) {
  const { user, isDemo } = useTeam();
  const { run, isPending, failure } = useAction('report', 'send');
  const [isSent, setIsSent] = useState(false);
  return (
    <div className={styles['now']}>
      <Button
        variant="default"
        size="compact-md"
        loading={isPending}
        disabled={isDemo}
        onClick={() => void run({ propertyId: property.id, kind }, () => setIsSent(true))}
      >
        Send me {LAST[kind]} now
      </Button>
      {isDemo && <span>The demo doesn’t send email.</span>}
      {isSent && failure === undefined && (
        <>
          <Notice tone="good">The report is on its way to {user.data.emailAddress}.</Notice>
          <MailHint />
        </>
      )}
      <Notice tone="bad">{failure}</Notice>
    </div>
  );
}
