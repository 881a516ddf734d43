import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { create } from 'zustand';
import type { PaletteProps } from '../../frame/chrome/PaletteButton.tsx';
import { t } from '../../language.ts';
import { useIsTopmost } from '../../ui/layers/dialogs.ts';
import { Modal } from '../../ui/layers/overlays.ts';
import { CloseButton } from '../../ui/theme/mantine.ts';
import { GROUPS, type PaletteEntry, type PaletteSection, sectionsOf } from './entries.ts';
import styles from './Palette.module.css';
import { usePaletteEntries } from './usePaletteEntries.ts';

/** The chosen entries, latest first; in memory only. */
const useRecent = create<{ readonly ids: readonly string[] }>()(() => ({ ids: [] }));

/** Searches pages, views, properties, actions and guides, and opens them. */
export function Palette({ onClose }: PaletteProps) {
  const hasChosen = useFocusReturn();
  const isTopmost = useIsTopmost(true);

  function choose({ id, run }: PaletteEntry): void {
    hasChosen.current = true;
    useRecent.setState(({ ids }) => ({ ids: [id, ...ids.filter((each) => each !== id)] }));
    run();
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={isTopmost}
      returnFocus={false}
      size={600}
      yOffset="12dvh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: styles['palette'] ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Title className="visually-hidden">{t('Search or jump to')}</Modal.Title>
        <Finder onClose={onClose} onChoose={choose} />
      </Modal.Content>
    </Modal.Root>
  );
}

/** Returns the focus to where it was, unless an entry was chosen. The kit does so only for modals that start closed. */
function useFocusReturn(): RefObject<boolean> {
  const [previous] = useState(() => document.activeElement);
  const hasChosen = useRef(false);
  useEffect(
    () => () => {
      if (!hasChosen.current && previous instanceof HTMLElement) previous.focus({ preventScroll: true });
    },
    [previous],
  );
  return hasChosen;
}

/** A combobox: the focus stays in the field while the arrows move through the results. */
function Finder({ onClose, onChoose }: PaletteProps & { onChoose: (entry: PaletteEntry) => void }) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState(0);
  const recent = useRecent(({ ids }) => ids);
  const sections = sectionsOf(usePaletteEntries(onClose), search, recent);
  const shown = sections.flatMap(({ entries }) => entries);
  const at = Math.min(selected, shown.length - 1);
  const optionId = (place: number) => `${id}-${place}`;

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((at + 1) % shown.length),
    ArrowUp: () => setSelected((at - 1 + shown.length) % shown.length),
    Enter: () => shown[at] && onChoose(shown[at]),
  };
  function press(event: KeyboardEvent): void {
    const act = event.nativeEvent.isComposing || shown.length === 0 ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  return (
    <>
      <div className={styles['field']}>
        <IconSearch size={20} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={t('Search or jump to')}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(shown.length > 0 && { 'aria-activedescendant': optionId(at) })}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('Pages, properties, views, actions')}
          data-autofocus
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setSelected(0);
          }}
          onKeyDown={press}
        />
        <CloseButton aria-label={t('Close')} size="lg" onClick={onClose} />
      </div>
      <p role="status" className={shown.length > 0 ? 'visually-hidden' : styles['none']}>
        {shown.length === 0 ? t('No result for “{search}”. Try the docs.', { search: search.trim() }) : search && resultsIn(shown.length)}
      </p>
      <Results id={`${id}-list`} sections={sections} at={at} optionId={optionId} onPoint={setSelected} onChoose={onChoose} />
    </>
  );
}

const resultsIn = (count: number): string => t.count(count, '{count} result', '{count} results');

interface ResultsProps {
  readonly id: string;
  readonly sections: readonly PaletteSection[];
  /** The index of the entry that Enter chooses. */
  readonly at: number;
  readonly optionId: (place: number) => string;
  readonly onPoint: (place: number) => void;
  readonly onChoose: (entry: PaletteEntry) => void;
}

function Results({ id, sections, at, optionId, onPoint, onChoose }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${optionId(at)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at, optionId]);
  const firstOf = (group: PaletteSection) =>
    sections.slice(0, sections.indexOf(group)).reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('Results')} className={styles['results']} tabIndex={-1}>
      {sections.map((section) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, which no fieldset may be
        <div key={section.group} role="group" aria-labelledby={`${id}-${section.group}`}>
          <div id={`${id}-${section.group}`} className={styles['group']}>
            {t(GROUPS[section.group])}
          </div>
          {section.entries.map((entry, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
            <div
              key={entry.id}
              id={optionId(firstOf(section) + place)}
              role="option"
              tabIndex={-1}
              aria-selected={firstOf(section) + place === at}
              className={styles['option']}
              onPointerMove={() => onPoint(firstOf(section) + place)}
              onClick={() => onChoose(entry)}
            >
              {entry.label}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
