import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { setTheme, usePersisted } from '../../data/persisted.ts';
import { PALETTE_BUTTON } from '../../frame/chrome/PaletteButton.tsx';
import { CHANGE_THEME } from '../../frame/chrome/theme-words.ts';
import { type PanelName, usePanel } from '../../frame/panel.ts';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { useTeam } from '../../frame/team.ts';
import { useSavedViews, viewAddress } from '../../frame/views.ts';
import { t } from '../../language.ts';
import { paths as teamPaths } from '../../paths.ts';
import { useLayer } from '../../ui/layers/useLayer.ts';
import type { PaletteEntry } from './entries.ts';

interface To {
  readonly to: string;
  readonly search?: Record<string, unknown>;
}

/** Returns the pages and actions available to this person; admins have more. */
export function usePaletteEntries(close: () => void): readonly PaletteEntry[] {
  return [usePages(), useViews(), useProperties(), useActions(close), useGuides()].flat();
}

function usePages(): PaletteEntry[] {
  const { paths, isOperator, isTeamless } = useTeam();
  const isAdmin = useIsAdmin();
  const isBilled = useIsBilled();
  const go = useGo();
  const page = (label: string, to: string, words?: string): PaletteEntry => ({
    id: `page ${to}`,
    group: 'Pages',
    label,
    ...(words !== undefined && { words }),
    run: () => void go({ to }),
  });
  const ofTeam = [
    page(t('All feedback'), paths.feed),
    page('Urgent', paths.urgent, 'waiting'),
    page('Overview', paths.overview, 'numbers average'),
    page('Properties', paths.properties, 'places locations'),
  ];
  const ofAdmin = [
    page('Users', paths.users, 'team people'),
    page('Administration', paths.administration, isBilled ? 'account plan business' : 'account business'),
    page('Brand', paths.brand, 'logo color corners'),
    page('Webhooks', paths.webhooks, 'slack teams programs'),
    page('Topics', paths.topics, 'phrases words themes'),
    page(t('API keys'), paths.apiKeys, 'token developer programs'),
  ];
  return [
    ...(isTeamless ? [] : ofTeam),
    ...(isAdmin ? ofAdmin : []),
    page('Profile', paths.profile, 'you password two-step sign-in'),
    page('Docs', teamPaths.docs, 'help guides'),
    ...(isOperator || isTeamless ? [page(t('Operator area'), teamPaths.operatorAccounts)] : []),
  ];
}

function useViews(): PaletteEntry[] {
  const team = useTeam();
  const go = useGo();
  return useSavedViews().map((view) => ({
    id: view.id,
    group: 'Views',
    label: view.data.displayName,
    run: () => void go(viewAddress(view, team)),
  }));
}

function useProperties(): PaletteEntry[] {
  const { paths, properties } = useTeam();
  const isAdmin = useIsAdmin();
  const go = useGo();
  return properties.flatMap(({ id, data: { displayName } }): PaletteEntry[] => {
    const configuration = {
      id: `${id} configuration`,
      group: 'Properties' as const,
      label: `${displayName}, configuration`,
      words: 'form settings code share',
      run: () => void go({ to: paths.propertyConfiguration(id) }),
    };
    return [
      { id, group: 'Properties', label: displayName, words: 'feedback', run: () => void go({ to: paths.propertyFeedback(id) }) },
      ...(isAdmin ? [configuration] : []),
    ];
  });
}

function useActions(close: () => void): PaletteEntry[] {
  const { isDemo, isTeamless } = useTeam();
  const isAdmin = useIsAdmin();
  const isBilled = useIsBilled();
  const theme = usePersisted((persisted) => persisted.theme);
  const go = useGo();
  const { open } = usePanel();
  const invite = useInvite(go);
  const help = useInPlace('shortcuts');
  const panel = (name: PanelName) => () => open(name, { opener: PALETTE_BUTTON, isInPlace: true });
  const changeTheme = () => {
    setTheme(theme === 'dark' ? 'light' : 'dark');
    close();
  };
  return [
    ...(isAdmin
      ? [action(t('Invite user'), invite, 'somebody add teammate team'), action(t('New property'), panel('property'), 'add place location')]
      : []),
    ...(isAdmin && isBilled ? [action(t('Plan and payments'), panel('plan'), 'change cancel subscription card invoice billing')] : []),
    action(CHANGE_THEME[theme], changeTheme, 'mode colors'),
    action(t('Keyboard shortcuts'), help, 'keys help'),
    ...(isTeamless
      ? []
      : [action(t('Send feedback'), panel('internal-feedback'), 'support contact'), action(t('Report a bug'), panel('report-bug'))]),
    ...(isDemo ? [] : [action(t('Change password'), panel('password'))]),
    isDemo
      ? action(t('Leave demo'), () => void go({ to: teamPaths.feed }))
      : action(t('Sign out'), () => void go({ to: teamPaths.signOut }), 'log out'),
  ];
}

const action = (label: string, run: () => void, words = ''): PaletteEntry => ({ id: `do ${label}`, group: 'Actions', label, words, run });

function useIsAdmin(): boolean {
  const { user, isTeamless } = useTeam();
  return user.data.level === 'admin' && !isTeamless;
}

/** Replaces the palette's history entry with a page, so that Back returns to where it was opened, and focuses the page's heading. */
function useGo(): (address: To) => Promise<void> {
  const navigate = useNavigate();
  return async (address) => {
    await navigate({ ...address, replace: true });
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
}

/** Replaces the palette with a layer. */
function useInPlace(layer: string): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({ to: '.', search: true, replace: true, state: (previous) => ({ ...previous, layers: [layer] }), resetScroll: false });
}

/** Opens the Users page, then its invitation dialog as a new layer. */
function useInvite(go: (address: To) => Promise<void>): () => void {
  const { paths } = useTeam();
  const [, dialog] = useLayer('invite');
  return () => void go({ to: paths.users }).then(dialog.open);
}

/** None while the guides load. */
function useGuides(): PaletteEntry[] {
  const go = useGo();
  const { data } = useQuery({
    queryKey: ['guides'],
    staleTime: Infinity,
    networkMode: 'always',
    queryFn: async () => (await import('../../pages/docs/guides.ts')).GUIDES.map(({ name, title }) => ({ name, title })),
  });
  return (data ?? []).map(({ name, title }) => ({
    id: `guide ${name}`,
    group: 'Docs',
    label: title,
    run: () => void go({ to: teamPaths.guide(name) }),
  }));
}
