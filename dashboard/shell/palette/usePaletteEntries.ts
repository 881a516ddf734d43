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
    page(t('Urgent'), paths.urgent, t.in('search', 'waiting')),
    page(t('Overview'), paths.overview, t.in('search', 'numbers average')),
    page(t('Properties'), paths.properties, t.in('search', 'places locations')),
  ];
  const ofAdmin = [
    page(t('Users'), paths.users, t.in('search', 'team people')),
    page(
      t('Administration'),
      paths.administration,
      isBilled ? t.in('search', 'account plan business') : t.in('search', 'account business'),
    ),
    page(t('Brand'), paths.brand, t.in('search', 'logo color corners')),
    page(t('Webhooks'), paths.webhooks, t.in('search', 'slack teams programs')),
    page(t('Topics'), paths.topics, t.in('search', 'phrases words themes')),
    page(t('API keys'), paths.apiKeys, t.in('search', 'token developer programs')),
  ];
  return [
    ...(isTeamless ? [] : ofTeam),
    ...(isAdmin ? ofAdmin : []),
    page(t('Profile'), paths.profile, t.in('search', 'you password two-step sign-in')),
    page(t('Docs'), teamPaths.docs, t.in('search', 'help guides')),
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
      label: t('{name}, configuration', { name: displayName }),
      words: t.in('search', 'form settings code share'),
      run: () => void go({ to: paths.propertyConfiguration(id) }),
    };
    return [
      {
        id,
        group: 'Properties',
        label: displayName,
        words: t.in('search', 'feedback'),
        run: () => void go({ to: paths.propertyFeedback(id) }),
      },
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
      ? [
          action(t('Invite user'), invite, t.in('search', 'somebody add teammate team')),
          action(t('New property'), panel('property'), t.in('search', 'add place location')),
        ]
      : []),
    ...(isAdmin && isBilled
      ? [action(t('Plan and payments'), panel('plan'), t.in('search', 'change cancel subscription card invoice billing'))]
      : []),
    action(t(CHANGE_THEME[theme]), changeTheme, t.in('search', 'mode colors')),
    action(t('Keyboard shortcuts'), help, t.in('search', 'keys help')),
    ...(isTeamless
      ? []
      : [
          action(t('Send feedback'), panel('internal-feedback'), t.in('search', 'support contact')),
          action(t('Report a bug'), panel('report-bug')),
        ]),
    ...(isDemo ? [] : [action(t('Change password'), panel('password'))]),
    isDemo
      ? action(t('Leave demo'), () => void go({ to: teamPaths.feed }))
      : action(t('Sign out'), () => void go({ to: teamPaths.signOut }), t.in('search', 'log out')),
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
