import { type ComponentType, useRef } from 'react';
import type { Untranslated } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { Later } from '../../ui/page/Later.tsx';
import { Loader } from '../../ui/theme/mantine.ts';
import { type PanelName, usePanel } from '../panel.ts';
import { useIsBilled } from '../plan/plan.ts';
import { useTeam } from '../team.ts';

interface PanelProps {
  /** The person that the panel is about, if any. */
  readonly userId: string | undefined;
  /** The property that the panel is about, if any. */
  readonly propertyId: string | undefined;
  /** The feedback that the panel is about, if any. */
  readonly feedbackId: string | undefined;
  readonly onDone: () => void;
}

/** All panels. Passed in, because they're pages and the frame doesn't depend on pages. */
export type PanelList = Readonly<Record<PanelName, { readonly title: Untranslated; readonly Content: ComponentType<PanelProps> }>>;

/** Shows the panel in the address over the page. */
export function Panels({ list }: { list: PanelList }) {
  const { panel: requested, user, place, about, opener, close } = usePanel();
  const { isTeamless } = useTeam();
  const hasPlan = useIsBilled() && !isTeamless;
  const panel = requested === 'plan' && !hasPlan ? undefined : requested;
  // Keeps rendering the panel while it slides away, and remembers where to return the focus.
  const last = useRef({ panel, user, place, about, opener });
  // On the way back, the opener disappears from the address before the panel does.
  if (panel !== undefined) last.current = { panel, user, place, about, opener: opener ?? last.current.opener };
  const shown = last.current;
  const { title, Content } = shown.panel === undefined ? {} : list[shown.panel];
  return (
    <SidePanel
      isOpen={panel !== undefined}
      title={title === undefined ? '' : t(title)}
      onClose={close}
      onClosed={() => {
        focusOn(shown.opener);
        last.current = { panel: undefined, user: undefined, place: undefined, about: undefined, opener: undefined };
      }}
    >
      <Later waiting={<Loader size="sm" aria-label={t('Loading')} />}>
        {Content && (
          <Content
            key={shown.user ?? shown.place ?? shown.about}
            userId={shown.user}
            propertyId={shown.place}
            feedbackId={shown.about}
            onDone={close}
          />
        )}
      </Later>
    </SidePanel>
  );
}

/** Focuses the element that opened the panel, or the page if the element is gone. */
function focusOn(opener: string | undefined): void {
  const element = document.getElementById(opener ?? 'main') ?? document.getElementById('main');
  element?.focus({ preventScroll: true });
}
