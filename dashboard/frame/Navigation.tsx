import {
  IconAlertTriangle,
  IconBuildingStore,
  IconDots,
  IconInbox,
  IconLogout,
  IconSettings,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { isNamed } from '#contract/property.ts';
import { dateRange } from '#contract/time.ts';
import { summaryQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import { type Paths, paths as teamPaths } from '../paths.ts';
import { useNow } from '../ui/hooks.ts';
import { useDisclosure } from '../ui/mantine.ts';
import { BottomSheet } from '../ui/SidePanel.tsx';
import { localZone } from '../ui/time.ts';
import styles from './Frame.module.css';
import { type Team, useTeam } from './team.ts';

/** More properties than this are better found on their page. */
const MOST_LISTED = 12;

const OPERATOR_AREA: readonly string[] = [teamPaths.operatorAccounts, teamPaths.operatorUsers, teamPaths.auditLog];

/** The navigation beside the page. */
export function SideNavigation() {
  const team = useTeam();
  const { paths, properties, isOperator } = team;
  const { propertyId = '' } = useParams({ strict: false });
  const isInOperatorArea = useRouterState({ select: ({ location }) => OPERATOR_AREA.includes(location.pathname) });
  return (
    <ul className={styles['items']}>
      {dailyItems(paths).map((item) => (
        <NavLink key={item.to} item={item} />
      ))}
      {properties.slice(0, MOST_LISTED).map((property) => (
        <li key={property.id}>
          <Link
            to={paths.propertyFeedback(property.id)}
            aria-current={isNamed(propertyId, property) ? 'page' : undefined}
            activeOptions={{ includeSearch: false }}
            className={`${styles['item']} ${styles['below']}`}
          >
            {property.data.displayName}
          </Link>
        </li>
      ))}
      {adminItems(team, paths).map((item) => (
        <NavLink key={item.to} item={item} />
      ))}
      {isOperator && (
        <NavLink item={{ to: teamPaths.operatorAccounts, label: 'Operator area', Icon: IconShieldLock }} isActive={isInOperatorArea} />
      )}
    </ul>
  );
}

/** `isActive` where one item has several addresses. */
function NavLink({ item: { to, label, Icon }, isActive = false }: { item: NavItem; isActive?: boolean }) {
  const { paths } = useTeam();
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isActive ? 'page' : undefined}
        className={styles['item']}
      >
        <Icon size={18} aria-hidden />
        {label}
        {to === paths.urgent && <UrgentCount />}
      </Link>
    </li>
  );
}

/** The navigation below the page, on a phone. */
export function TabBar() {
  const { paths } = useTeam();
  return (
    <>
      {dailyItems(paths).map(({ to, label, Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to !== paths.properties, includeSearch: false }} className={styles['tab']}>
          <span className={styles['icon']}>
            <Icon size={22} aria-hidden />
            {to === paths.urgent && <UrgentCount />}
          </span>
          {to === paths.feed ? 'Feedback' : label}
        </Link>
      ))}
      <More />
    </>
  );
}

interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly Icon: typeof IconInbox;
}

/** The pages of the daily work; on a phone these are the tabs. */
const dailyItems = (paths: Paths): readonly NavItem[] => [
  { to: paths.feed, label: 'All feedback', Icon: IconInbox },
  { to: paths.urgent, label: 'Urgent', Icon: IconAlertTriangle },
  { to: paths.properties, label: 'Properties', Icon: IconBuildingStore },
];

/** Pages of admins are not listed for other people (docs/rules.md#roles); the server decides all the same. */
const adminItems = ({ user }: Pick<Team, 'user'>, paths: Paths): readonly NavItem[] =>
  user.data.level === 'admin'
    ? [
        { to: paths.users, label: 'Users', Icon: IconUsers },
        { to: paths.administration, label: 'Administration', Icon: IconSettings },
      ]
    : [];

/** The fourth tab: the pages that are not needed every day. */
function More() {
  const team = useTeam();
  const { paths, isOperator, isDemo } = team;
  const [isOpen, sheet] = useDisclosure();
  const items: readonly NavItem[] = [
    ...adminItems(team, paths),
    { to: paths.profile, label: 'Profile', Icon: IconUserCircle },
    ...(isOperator ? [{ to: teamPaths.operatorAccounts, label: 'Operator area', Icon: IconShieldLock }] : []),
    { to: isDemo ? teamPaths.feed : teamPaths.signOut, label: isDemo ? 'Leave demo' : 'Sign out', Icon: IconLogout },
  ];
  return (
    <>
      <button type="button" className={styles['tab']} aria-haspopup="dialog" onClick={sheet.open}>
        <span className={styles['icon']}>
          <IconDots size={22} aria-hidden />
        </span>
        More
      </button>
      <BottomSheet isOpen={isOpen} title="More" onClose={sheet.close}>
        <ul className={styles['items']}>
          {items.map(({ to, label, Icon }) => (
            <li key={to}>
              <Link to={to} className={`${styles['item']} ${styles['large']}`} onClick={sheet.close}>
                <Icon size={20} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </BottomSheet>
    </>
  );
}

/** The number of urgent feedback, beside or on its item. */
function UrgentCount() {
  const count = useUrgentCount();
  if (!count) return null;
  return (
    <span className={styles['count']}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> in the last month</span>
    </span>
  );
}

/** How much urgent feedback the urgent page starts with. The same question as the feed's, so it is asked once. */
function useUrgentCount(): number | undefined {
  const { account } = useTeam();
  const zone = localZone();
  const query = { accountId: account.id, ...dateRange('month', useNow(), zone), zone, grain: 'day' } as const;
  return useQuery(summaryQuery(useSource(), query)).data?.urgent;
}
