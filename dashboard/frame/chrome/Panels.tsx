import { type ComponentType, useRef } from 'react';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { Later } from '../../ui/page/Later.tsx';
import { Loader } from '../../ui/theme/mantine.ts';
import { type PanelName, usePanel } from '../panel.ts';
import { useIsBilled } from '../plan/plan.ts';
import { useTeam } from '../team.ts';

interface PanelProps {
  /** The person that the panel is about, where it is about one. */
  readonly userId: string | undefined;
  /** The property that it is about. */
  readonly propertyId: string | undefined;
  /** The feedback that the panel is about, where it is about some. */
  readonly feedbackId: string | undefined;
  readonly onDone: () => void;
}

/** All panels. They are pages, which the frame does not know. */
export type PanelList = Readonly<Record<PanelName, { readonly title: string; readonly Content: ComponentType<PanelProps> }>>;

/** The panel that the address opens over the page. */
export function Panels({ list }: { list: PanelList }) {
  const { panel: named, user, place, about, opener, close } = usePanel();
  const { isTeamless } = useTeam();
  const hasPlan = useIsBilled() && !isTeamless;
  const panel = named === 'plan' && !hasPlan ? undefined : named;
  // Still drawn while it slides away, and remembered for the focus to return.
  const last = useRef({ panel, user, place, about, opener });
  // The address is a moment ahead of what is shown: on the way back the opener is gone from it first.
  if (panel !== undefined) last.current = { panel, user, place, about, opener: opener ?? last.current.opener };
  const shown = last.current;
  const { title = '', Content } = shown.panel === undefined ? {} : list[shown.panel];
  return (
    <SidePanel
      isOpen={panel !== undefined}
      title={title}
      onClose={close}
      onClosed={() => {
        focusOn(shown.opener);
        last.current = { panel: undefined, user: undefined, place: undefined, about: undefined, opener: undefined };
      }}
    >
      <Later waiting={<Loader size="sm" aria-label="Loading" />}>
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

/** Moves the focus to the element that opened the panel, where it is still there; else to the page. */
function focusOn(opener: string | undefined): void {
  const element = document.getElementById(opener ?? 'main') ?? document.getElementById('main');
  element?.focus({ preventScroll: true });
}
