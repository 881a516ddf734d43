import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { placementOf } from '#contract/core/ids.ts';
import { FEWEST_RANKED } from '#contract/core/interval.ts';
import { dateRange } from '#contract/core/time.ts';
import { average, NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import type { Property } from '#contract/property/property.ts';
import { slugOf } from '#contract/property/slug.ts';
import { isStaff, type Tool } from '#contract/tool/tool.ts';
import { placementsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useFormAddress } from '../../../frame/share/address.ts';
import { FormCode } from '../../../frame/share/FormCode.tsx';
import { t } from '../../../language.ts';
import { decimal, formatCount } from '../../../ui/format/number.ts';
import { localZone } from '../../../ui/format/time.ts';
import { useNow } from '../../../ui/hooks.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { Menu } from '../../../ui/layers/overlays.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { RowMenu } from '../../../ui/page/RowMenu.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { EmbedDialog } from './EmbedDialog.tsx';
import { PlacementDialog } from './PlacementDialog.tsx';
import styles from './Placements.module.css';

/** Placements of a property, undefined if they couldn't be loaded. */
export interface LoadedTools {
  readonly property: Property;
  readonly tools: readonly Tool[] | undefined;
  readonly isError: boolean;
  readonly onRetry: () => void;
}

interface PlacementListProps extends LoadedTools {
  /** The list's name. */
  readonly label: string;
  /** Shown if there are none. */
  readonly empty: ReactNode;
}

/** A list of placements with their ratings, or why there is none. */
export const PlacementList = ({ property, tools, isError, onRetry, label, empty }: PlacementListProps) => (
  <>
    {isError && (
      <LoadFailed onRetry={onRetry}>
        {tools ? t('We couldn’t load the placements; this list may be old.') : t('We couldn’t load the placements.')}
      </LoadFailed>
    )}
    {tools?.length === 0 && empty}
    {tools && tools.length > 0 && <Rows property={property} tools={tools} label={label} />}
  </>
);

/** A list of placements with their ratings. Names open the code or the snippet. */
function Rows({ property, tools, label }: { property: Property; tools: readonly Tool[]; label: string }) {
  const ratings = useRatings(property.id);
  return (
    <div className={`${rowStyles['rows']} ${styles['columns']}`}>
      <div className={rowStyles['head']} aria-hidden>
        <span>{t('Name')}</span>
        <span className={styles['end']}>{t('Average')}</span>
        <span className={styles['end']}>{t('Answers, month')}</span>
        <span />
      </div>
      <ul aria-label={label}>
        {tools.map((tool) => (
          <li key={tool.id}>
            <PlacementRow property={property} tool={tool} ratings={ratings && (ratings.get(tool.id) ?? NO_RATINGS)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

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
        aria-label={
          isEmbed ? t('{name}, show its snippet', { name: data.displayName }) : t('{name}, show its code', { name: data.displayName })
        }
        onClick={showing.open}
      >
        {data.displayName}
      </button>
      <Figure name={t('average')}>{ratings && shownAverage(tool, ratings)}</Figure>
      <Figure name={t('answers')}>{ratings && formatCount(total(ratings))}</Figure>
      <PlacementMenu property={property} tool={tool} />
      <Shown property={property} tool={tool} isOpen={isShown} onClose={showing.close} />
    </div>
  );
}

/** Returns the average. A person with few ratings has none, so that no one is judged by chance. */
const shownAverage = (tool: Tool, ratings: Tally): string => (isStaff(tool) && total(ratings) < FEWEST_RANKED ? '–' : averageText(ratings));

const averageText = (ratings: Tally): string => {
  const mean = average(ratings);
  return mean === undefined ? '–' : decimal(mean);
};

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
    <Dialog isOpen={isOpen} onClose={onClose} title={t('Code for {name}', { name })} size="lg">
      <FormCode
        address={addressOf(data.formId, { at: placementOf(tool.id) })}
        of={t('the form of {property} at {placement}', { property: data.displayName, placement: name })}
        file={slugOf(`${data.displayName} ${name}`)}
      />
    </Dialog>
  );
}

function PlacementMenu({ property, tool }: { property: Property; tool: Tool }) {
  const why = useReadOnly();
  const [isRenaming, renaming] = useLayer(`rename-${tool.id}`);
  const [isAsking, asking] = useLayer(`delete-${tool.id}`);
  return (
    <span className={`${rowStyles['beside']} ${styles['menu']}`}>
      <RowMenu name={tool.data.displayName} why={why}>
        <Menu.Item onClick={renaming.open}>{t('Rename')}</Menu.Item>
        <Menu.Item c="var(--c-danger-text)" onClick={asking.open}>
          {t('Delete')}
        </Menu.Item>
      </RowMenu>
      <PlacementDialog isOpen={isRenaming} onClose={renaming.close} property={property} tool={tool} />
      <DeletePlacement property={property} tool={tool} isOpen={isAsking} onClose={asking.close} />
    </span>
  );
}

function DeletePlacement({ tool, isOpen, onClose }: DialogProps) {
  const { id, data } = tool;
  const remove = useAction('tool', 'delete', { allowNotFound: true });
  const name = data.displayName;
  const isEmbed = data.toolType === 'embed';
  function onDeleted(): void {
    onClose();
    toast(
      isEmbed
        ? t('{name} was deleted. Its snippets keep working.', { name })
        : t('{name} was deleted. Its printed codes keep working.', { name }),
    );
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('Delete {name}?', { name })}
      action={{
        ...remove,
        label: isStaff(tool) ? t('Delete code') : t('Delete placement'),
        run: () => void remove.run({ toolId: id }, onDeleted),
      }}
    >
      {isEmbed
        ? t('The snippets of {name} keep opening the form, but new answers arrive without the name.', { name })
        : t('The printed codes of {name} keep opening the form, but new answers arrive without the name.', { name })}{' '}
      {t('Existing answers stay and no longer show it. This can’t be undone: one you add later gets a different code.')}
    </ConfirmDialog>
  );
}
