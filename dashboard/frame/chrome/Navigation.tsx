import {
  IconAlertTriangle,
  IconBook,
  IconBug,
  IconBuildingStore,
  IconChartBar,
  IconDots,
  IconInbox,
  IconLogout,
  IconMessage,
  IconSettings,
  IconShieldLock,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { Fragment } from 'react';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { isPropertyNamed } from '#contract/property/slug.ts';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { t } from '../../language.ts';
import { OPERATOR_PATHS, type Paths, paths as teamPaths } from '../../paths.ts';
import { BottomSheet } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { usePanel } from '../panel.ts';
import { type Team, useTeam } from '../team.ts';
import { useOpenView, useSavedViews, viewAddress } from '../views.ts';
import styles from './Frame.module.css';
import { useInbox } from './inbox.ts';

/** The most properties or views in the navigation. */
const MAX_LISTED = 12;

/** The navigation beside the page. */
export function SideNavigation() {
  const team = useTeam();
  const { paths, properties, isOperator, isTeamless } = team;
  const views = useSavedViews();
  const { propertyId = '' } = useParams({ strict: false });
  const openView = useOpenView();
  const at = useRouterState({ select: ({ location }) => location.pathname });
  const belowAdministration: readonly string[] = [paths.brand, paths.deliveries, paths.webhooks, paths.apiKeys];
  // The current property is always listed.
  const isListed = (property: Property, index: number): boolean => index < MAX_LISTED || isPropertyNamed(propertyId, property);
  return (
    <ul className={styles['items']}>
      {sideItems(team, paths).map((item) => (
        <Fragment key={item.to}>
          <NavLink item={item} />
          {item.to === paths.feed && views.slice(0, MAX_LISTED).map((view) => <ViewLink key={view.id} view={view} />)}
        </Fragment>
      ))}
      {properties.filter(isListed).map((property) => (
        <li key={property.id}>
          <Link
            to={paths.propertyFeedback(property.id)}
            aria-current={isPropertyNamed(propertyId, property) && !openView ? 'page' : undefined}
            activeOptions={{ includeSearch: openView !== undefined }}
            className={`${styles['item']} ${styles['below']}`}
          >
            {property.data.displayName}
            <WaitingCount propertyId={property.id} />
          </Link>
        </li>
      ))}
      <MoreProperties of={properties.filter((property, index) => !isListed(property, index))} />
      {adminItems(team, paths).map((item) => (
        <NavLink key={item.to} item={item} isActive={item.to === paths.administration && belowAdministration.includes(at)} />
      ))}
      {(isOperator || isTeamless) && (
        <NavLink
          item={{ to: teamPaths.operatorAccounts, label: t('Operator area'), Icon: IconShieldLock }}
          isActive={OPERATOR_PATHS.includes(at)}
        />
      )}
      <NavLink item={docsItem()} />
      {!isTeamless && MESSAGE_ITEMS.map((item) => <MessageButton key={item.panel} item={item} id={`open-${item.panel}`} />)}
      {isTeamless && <NavLink item={{ to: paths.profile, label: t('Profile'), Icon: IconUserCircle }} />}
    </ul>
  );
}

/** A saved view below the feed's link. */
function ViewLink({ view }: { view: SavedView }) {
  const team = useTeam();
  const isOpen = useOpenView()?.id === view.id;
  return (
    <li>
      <Link
        {...viewAddress(view, team)}
        activeOptions={{ exact: true }}
        aria-current={isOpen ? 'page' : undefined}
        className={`${styles['item']} ${styles['below']}`}
      >
        {view.data.displayName}
        {view.data.isShared && (
          <>
            <IconUsers size={14} className={styles['shared'] ?? ''} aria-hidden />
            <span className="visually-hidden">{t(', shared view')}</span>
          </>
        )}
      </Link>
    </li>
  );
}

interface MessageItem {
  readonly panel: 'internal-feedback' | 'report-bug';
  readonly label: Untranslated;
  readonly Icon: typeof IconInbox;
}

/** The panels that send a message to the operators. */
const MESSAGE_ITEMS: readonly MessageItem[] = [
  { panel: 'internal-feedback', label: translatable('Send feedback'), Icon: IconMessage },
  { panel: 'report-bug', label: translatable('Report a bug'), Icon: IconBug },
];

/** Opens a message panel. Within a sheet, the panel replaces it and returns the focus to what opened the sheet. */
function MessageButton({ item: { panel, label, Icon }, id, sheet }: { item: MessageItem; id: string; sheet?: string }) {
  const { open } = usePanel();
  return (
    <li>
      <button
        type="button"
        id={id}
        aria-haspopup="dialog"
        className={`${styles['item']} ${styles['button']} ${sheet === undefined ? '' : styles['large']}`}
        onClick={() => open(panel, { opener: sheet ?? id, isInPlace: sheet !== undefined })}
      >
        <Icon size={sheet === undefined ? 18 : 20} aria-hidden />
        {t(label)}
      </button>
    </li>
  );
}

/** A link in the navigation; `isActive` marks it as current for an item with several addresses. */
function NavLink({ item: { to, label, Icon }, isActive = false }: { item: NavItem; isActive?: boolean }) {
  const { paths } = useTeam();
  // An open view has its own link, so the feed's isn't current.
  const isOfView = useOpenView() !== undefined;
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: isOfView }}
        aria-current={isActive ? 'page' : undefined}
        className={styles['item']}
      >
        <Icon size={18} aria-hidden />
        {label}
        {to === paths.urgent && <WaitingCount />}
        {to === paths.feed && <UnreadCount />}
      </Link>
    </li>
  );
}

/** The navigation below the page, on a phone. */
export function TabBar() {
  const team = useTeam();
  const { paths } = team;
  return (
    <>
      {dailyItems(team, paths).map(({ to, label, Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to !== paths.properties, includeSearch: false }} className={styles['tab']}>
          <span className={styles['icon']}>
            <Icon size={22} aria-hidden />
            {to === paths.urgent && <WaitingCount />}
          </span>
          {to === paths.feed ? t('Feedback') : label}
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

/** The docs, for everyone and outside the frame. */
const docsItem = (): NavItem => ({ to: teamPaths.docs, label: t('Docs'), Icon: IconBook });

/** The pages of the daily work; on a phone these are the tabs. */
const dailyItems = ({ isTeamless }: Pick<Team, 'isTeamless'>, paths: Paths): readonly NavItem[] =>
  isTeamless
    ? []
    : [
        { to: paths.feed, label: t('All feedback'), Icon: IconInbox },
        { to: paths.urgent, label: t('Urgent'), Icon: IconAlertTriangle },
        { to: paths.properties, label: t('Properties'), Icon: IconBuildingStore },
      ];

/** The business's numbers; not a tab, because a phone has no room for a fifth. */
const overviewItem = ({ isTeamless }: Pick<Team, 'isTeamless'>, paths: Paths): readonly NavItem[] =>
  isTeamless ? [] : [{ to: paths.overview, label: t('Overview'), Icon: IconChartBar }];

/** Returns the side navigation's items, with Properties last because the properties are listed below it. */
const sideItems = (team: Pick<Team, 'isTeamless'>, paths: Paths): readonly NavItem[] => {
  const daily = dailyItems(team, paths);
  return [...daily.slice(0, -1), ...overviewItem(team, paths), ...daily.slice(-1)];
};

/** Returns the admins' pages, for admins only (docs/rules.md#roles). The server enforces this anyway. */
const adminItems = ({ user }: Pick<Team, 'user'>, paths: Paths): readonly NavItem[] =>
  user.data.level === 'admin'
    ? [
        { to: paths.users, label: t('Users'), Icon: IconUsers },
        { to: paths.administration, label: t('Administration'), Icon: IconSettings },
      ]
    : [];

const MORE = 'more';

/** The fourth tab, with the pages that aren't used every day. */
function More() {
  const team = useTeam();
  const { paths, isOperator, isTeamless, isDemo } = team;
  const [isOpen, sheet] = useLayer('more');
  const leave = { to: isDemo ? teamPaths.feed : teamPaths.signOut, label: isDemo ? t('Leave demo') : t('Sign out'), Icon: IconLogout };
  const items: readonly NavItem[] = [
    ...overviewItem(team, paths),
    ...adminItems(team, paths),
    { to: paths.profile, label: t('Profile'), Icon: IconUserCircle },
    ...(isOperator || isTeamless ? [{ to: teamPaths.operatorAccounts, label: t('Operator area'), Icon: IconShieldLock }] : []),
    docsItem(),
  ];
  return (
    <>
      <button type="button" id={MORE} className={styles['tab']} aria-haspopup="dialog" onClick={sheet.open}>
        <span className={styles['icon']}>
          <IconDots size={22} aria-hidden />
        </span>
        {t('More')}
      </button>
      <BottomSheet isOpen={isOpen} title={t('More')} onClose={sheet.close}>
        <ul className={styles['items']}>
          {items.map((item) => (
            <SheetLink key={item.to} item={item} />
          ))}
          {!isTeamless &&
            MESSAGE_ITEMS.map((item) => <MessageButton key={item.panel} item={item} id={`${MORE}-${item.panel}`} sheet={MORE} />)}
          <SheetLink item={leave} />
        </ul>
      </BottomSheet>
    </>
  );
}

/** A link that replaces the sheet it's in. */
const SheetLink = ({ item: { to, label, Icon } }: { item: NavItem }) => (
  <li>
    <Link to={to} replace className={`${styles['item']} ${styles['large']}`}>
      <Icon size={20} aria-hidden />
      {label}
    </Link>
  </li>
);

interface CountProps {
  readonly count: number;
  /** The counted thing, for screen readers. */
  readonly of: string;
  /** Shows the count less prominently, because it isn't urgent. */
  readonly isQuiet?: boolean;
}

function Count({ count, of, isQuiet = false }: CountProps) {
  if (count === 0) return null;
  return (
    <span className={styles['count']} data-quiet={isQuiet || undefined}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {of}</span>
    </span>
  );
}

/** Links to the properties that aren't listed, those with the most waiting visitors first. */
function MoreProperties({ of: rest }: { of: readonly Property[] }) {
  const { paths } = useTeam();
  const inbox = useInbox();
  if (rest.length === 0) return null;
  return (
    <li>
      <Link to={paths.properties} search={{ sort: 'urgent' }} className={`${styles['item']} ${styles['below']}`}>
        <SpokenLabel text={t('{count} more<spoken> properties</spoken>', { count: rest.length })} />
        <Count count={rest.reduce((sum, { id }) => sum + (inbox?.waiting(id) ?? 0), 0)} of={t.in('count', 'waiting')} />
      </Link>
    </li>
  );
}

/** Shows how many visitors wait, in total or for one property. */
const WaitingCount = ({ propertyId }: { propertyId?: string }) => (
  <Count count={useInbox()?.waiting(propertyId) ?? 0} of={t.in('count', 'waiting')} />
);

const UnreadCount = () => <Count count={useInbox()?.unread ?? 0} of={t.in('count', 'unread')} isQuiet />;
