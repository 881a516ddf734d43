import { IconX } from '@tabler/icons-react';
import { type FormEvent, type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { LONGEST_TAG, type Tag, tagName } from '#contract/tag/tag.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { problemBy } from '../../../ui/forms/validation.ts';
import type { PressButton } from '../../../ui/layers/OpenedBy.tsx';
import { PopoverButton } from '../../../ui/MenuButton.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { useWork } from '../contexts.ts';
import styles from './Tags.module.css';
import { useTags } from './useTags.ts';

/** Marks the button that adds a tag. A popover sets its button's id. */
export const ADD_TAG = 'data-add-tag';

/** An item's tags, each with a button to remove it. */
export function Tags({ item }: { item: Feedback }) {
  const work = useWork();
  const current = useTags().byIds(item.data.tags);
  const { list, focusNextAt } = useFocusAfterRemoval(current.length);

  function remove({ id }: Tag, at: number): void {
    focusNextAt(at);
    work.change([item], { removeTags: [id] });
  }

  return (
    <ul ref={list} className={styles['tags']} aria-label={t('Tags')}>
      {current.map((tag, at) => (
        <li key={tag.id}>
          <button
            type="button"
            className={styles['tag']}
            aria-label={t('Remove the tag {name}', { name: tag.data.displayName })}
            onClick={() => remove(tag, at)}
          >
            <span dir="auto">{tag.data.displayName}</span>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus to the next tag, or to the button that adds one, after the focused tag is removed, unless something else has it. */
function useFocusAfterRemoval(count: number): { list: RefObject<HTMLUListElement | null>; focusNextAt(place: number): void } {
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the number of tags has changed
  useEffect(() => {
    if (place.current === undefined) return;
    const next = list.current?.children[place.current]?.querySelector('button') ?? document.querySelector<HTMLElement>(`[${ADD_TAG}]`);
    place.current = undefined;
    if (document.activeElement === document.body) next?.focus();
  }, [count]);
  return {
    list,
    focusNextAt(at) {
      place.current = at;
    },
  };
}

interface TagFormProps {
  /** The tags to choose from. */
  readonly tags: readonly Tag[];
  readonly onChoose: (tag: Tag) => void;
}

/** A button that opens the form to add a tag. */
export const AddTag = ({ button, tags, onChoose }: TagFormProps & { readonly button: ReactElement<PressButton> }) => (
  <PopoverButton label={t('Add a tag')} position="bottom-start" button={button}>
    {(close) => (
      <TagForm
        tags={tags}
        onChoose={(tag) => {
          close();
          onChoose(tag);
        }}
      />
    )}
  </PopoverButton>
);

const tagProblem = problemBy(tagName);

/** Picks an existing tag by name, or creates one. */
function TagForm({ tags, onChoose }: TagFormProps) {
  const { run, isPending, failure, problemOf, reset } = useAction('tag', 'save');
  const [name, setName] = useState('');
  const list = useId();
  const isEmpty = name.trim() === '';
  const problem = isEmpty ? undefined : tagProblem(name);
  const existing = tags.find(({ data }) => data.displayName.toLowerCase() === name.trim().toLowerCase());

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (existing) onChoose(existing);
    else if (!isEmpty && problem === undefined) void run({ payload: { data: { displayName: name } } }, ({ tag }) => onChoose(tag));
  }

  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextField
        label={t('Tag')}
        description={t('Choose one or create a new one.')}
        value={name}
        limit={LONGEST_TAG}
        list={list}
        autoComplete="off"
        error={problem ?? problemOf('payload.data.displayName') ?? failure}
        onChange={({ currentTarget }) => {
          reset();
          setName(currentTarget.value);
        }}
      />
      <datalist id={list}>
        {tags.map(({ id, data }) => (
          <option key={id} value={data.displayName} />
        ))}
      </datalist>
      <Button type="submit" loading={isPending} disabled={isEmpty || problem !== undefined}>
        {existing || isEmpty ? t('Add tag') : t('Create tag')}
      </Button>
    </form>
  );
}
