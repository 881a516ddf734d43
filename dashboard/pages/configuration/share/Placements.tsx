import { IconDots, IconMapPin, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { placementOf } from '#contract/core/ids.ts';
import { dateRange } from '#contract/core/time.ts';
import { average, type Tally, total } from '#contract/feedback/feedback.ts';
import { type Property, slugOf } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { placementsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useFormAddress } from '../../../frame/share/address.ts';
import { FormCode } from '../../../frame/share/FormCode.tsx';
import { localZone } from '../../../ui/format/time.ts';
import { useNow } from '../../../ui/hooks.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { Menu } from '../../../ui/layers/overlays.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EmptyState } from '../../../ui/messages/EmptyState.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { ActionIcon, Button } from '../../../ui/theme/mantine.ts';
import { EmbedDialog } from './EmbedDialog.tsx';
import { fullReason } from './full-reason.ts';
import { PlacementDialog } from './PlacementDialog.tsx';
import styles from './Placements.module.css';
import { SeriesDialog } from './SeriesDialog.tsx';

interface PlacementsProps {
  readonly property: Property;
  /** Undefined if they couldn't be loaded. */
  readonly tools: readonly Tool[] | undefined;
  /** The property has as many placements as it can, including its kiosks. */
  readonly isFull: boolean;
  readonly isError: boolean;
  readonly onRetry: () => void;
}

/** A property's placements, each with its code and ratings. */
export function Placements({ property, tools, isFull, isError, onRetry }: PlacementsProps) {
  const [isAdding, adding] = useLayer('add-placement');
  const [isAddingSeries, addingSeries] = useLayer('add-placements');
  const why = useReadOnly() ?? fullReason(isFull);
  return (
    <Card
      title="Placements"
      lead="A code for each spot: ‘Till’, ‘Table 4’. Answers show where they came from."
      action={
        <div className={styles['add']}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={why !== undefined}
            title={why}
            onClick={adding.open}
          >
            Add placement
          </Button>
          <Button variant="subtle" disabled={why !== undefined} title={why} onClick={addingSeries.open}>
            Add several
          </Button>
        </div>
      }
    >
      {isError && (
        <Notice tone="bad">
          We couldn’t load the placements{tools && '; this list may be old'}. <TextLink onClick={onRetry}>Try again</TextLink>
        </Notice>
      )}
      {tools?.length === 0 && (
        <EmptyState icon={<IconMapPin size={32} stroke={1.5} aria-hidden />} title="No placements yet.">
          The form’s own code works without them. Add placements to see where visitors are happiest.
        </EmptyState>
      )}
      {tools && tools.length > 0 && <PlacementRows property={property} tools={tools} label="Placements" />}
      <PlacementDialog isOpen={isAdding} onClose={adding.close} property={property} />
      <SeriesDialog isOpen={isAddingSeries} onClose={addingSeries.close} property={property} />
    </Card>
  );
}

interface PlacementRowsProps {
  readonly property: Property;
  readonly tools: readonly Tool[];
  /** The list's name. */
  readonly label: string;
}

/** A list of placements with their ratings. Names open the code or the snippet. */
export function PlacementRows({ property, tools, label }: PlacementRowsProps) {
  const ratings = useRatings(property.id);
  return (
    <div className={`${rowStyles['rows']} ${styles['columns']}`}>
      <div className={rowStyles['head']} aria-hidden>
        <span>Placement</span>
        <span className={styles['end']}>Average</span>
        <span className={styles['end']}>Answers, month</span>
        <span />
      </div>
      <ul aria-label={label}>
        {tools.map((tool) => (
          <li key={tool.id}>
            <PlacementRow property={property} tool={tool} ratings={ratings && (ratings.get(tool.id) ?? NONE)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const NONE: Tally = [0, 0, 0, 0, 0];

/** Returns the last month's ratings by placement; undefined while loading. */
function useRatings(propertyId: string): ReadonlyMap<string, Tally> | undefined {
  const span = dateRange('month', useNow(), localZone());
  const { data } = useQuery(placementsQuery(useSource(), { propertyId, ...span }));
  return data && new Map(data.map(({ toolId, ratings }) => [toolId, ratings]));
}

interface PlacementRowProps {
  readonly property: Property;
  readonly tool: Tool;
  readonly ratings: Tally | undefined;
}

/** One placement. Its name opens its code, or its snippet. */
function PlacementRow({ property, tool, ratings }: PlacementRowProps) {
  const { id, data } = tool;
  const [isShown, showing] = useLayer(`code-${id}`);
  const isEmbed = data.toolType === 'embed';
  const Shown = isEmbed ? EmbedDialog : PlacementCode;
  return (
    <div className={rowStyles['row']}>
      <button
        type="button"
        className={rowStyles['open']}
        aria-label={`${data.displayName}, show its ${isEmbed ? 'snippet' : 'code'}`}
        onClick={showing.open}
      >
        {data.displayName}
      </button>
      <Figure name="average">{ratings && (average(ratings)?.toFixed(1) ?? '–')}</Figure>
      <Figure name="answers">{ratings && total(ratings)}</Figure>
      <PlacementMenu property={property} tool={tool} />
      <Shown property={property} tool={tool} isOpen={isShown} onClose={showing.close} />
    </div>
  );
}

/** A number with its name for screen readers; the table's head has it for everyone else. */
const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className={`${rowStyles['figure']} ${styles['figure']}`}>
    {children ?? ' '} <span className={rowStyles['unit']}>{name}</span>
  </span>
);

interface DialogProps {
  readonly property: Property;
  readonly tool: Tool;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function PlacementCode({ property: { data }, tool, isOpen, onClose }: DialogProps) {
  const addressOf = useFormAddress();
  const name = tool.data.displayName;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Code for ${name}`} size="lg">
      <FormCode
        address={addressOf(data.formId, { at: placementOf(tool.id) })}
        of={`the form of ${data.displayName} at ${name}`}
        file={slugOf(`${data.displayName} ${name}`)}
      />
    </Dialog>
  );
}

function PlacementMenu({ property, tool }: { property: Property; tool: Tool }) {
  const why = useReadOnly();
  const [isOpen, setOpen] = useState(false);
  const [isRenaming, renaming] = useLayer(`rename-${tool.id}`);
  const [isAsking, asking] = useLayer(`delete-${tool.id}`);
  return (
    <span className={`${rowStyles['beside']} ${styles['menu']}`}>
      <Menu opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" size="lg" aria-label={`More for ${tool.data.displayName}`} disabled={why !== undefined} title={why}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={renaming.open}>Rename</Menu.Item>
          <Menu.Item c="var(--c-danger-text)" onClick={asking.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PlacementDialog isOpen={isRenaming} onClose={renaming.close} property={property} tool={tool} />
      <DeletePlacement property={property} tool={tool} isOpen={isAsking} onClose={asking.close} />
    </span>
  );
}

function DeletePlacement({ tool: { id, data }, isOpen, onClose }: DialogProps) {
  const remove = useAction('tool', 'delete', { allowNotFound: true });
  const name = data.displayName;
  const copies = data.toolType === 'embed' ? 'snippets' : 'printed codes';
  function onDeleted(): void {
    onClose();
    toast(`${name} was deleted. Its ${copies} keep working.`);
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}?`}
      action={{ ...remove, label: 'Delete placement', run: () => void remove.run({ toolId: id }, onDeleted) }}
    >
      The {copies} of {name} keep opening the form, but new answers arrive without the name. Existing answers stay and no longer show it.
      This can’t be undone: a placement you add later gets a different code.
    </ConfirmDialog>
  );
}
