import { IconPlus, IconX } from '@tabler/icons-react';
import { type FormEvent, type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_TAGS } from '#contract/feedback/work.ts';
import { LONGEST_TAG, type Tag, tagName } from '#contract/tag/tag.ts';
import { useAction } from '../../../data/useAction.ts';
import { TextField } from '../../../ui/forms/Fields.tsx';
import { problemBy } from '../../../ui/forms/validation.ts';
import type { PressButton } from '../../../ui/layers/OpenedBy.tsx';
import { PopoverButton } from '../../../ui/MenuButton.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import styles from './Tags.module.css';
import { useTags } from './useTags.ts';
import type { WorkActions } from './useWork.ts';

/** What it is about: its tags, each with a button that removes it, and a way to add one. */
export function Tags({ item, work }: { item: Feedback; work: WorkActions }) {
  const { tags, known } = useTags();
  const own = known(item.data.tags);
  const others = tags.filter(({ id }) => !item.data.tags.includes(id));
  const { list, goOnAt } = useFocusAfterRemoval(own.length);

  function remove({ id }: Tag, at: number): void {
    goOnAt(at);
    work.change([item], { removeTags: [id] });
  }

  return (
    <ul ref={list} className={styles['tags']} aria-label="Tags">
      {own.map((tag, at) => (
        <li key={tag.id}>
          <button type="button" className={styles['tag']} onClick={() => remove(tag, at)}>
            <span className="visually-hidden">Remove the tag </span>
            <span dir="auto">{tag.data.displayName}</span>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      {item.data.tags.length < MOST_TAGS && (
        <li>
          <AddTag
            tags={others}
            button={
              <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />}>
                Add tag
              </Button>
            }
            onChoose={(tag) => work.change([item], { addTags: [tag.id] })}
          />
        </li>
      )}
    </ul>
  );
}

/** What is removed takes the focus along: the next in the list has it then, unless something else took it. */
function useFocusAfterRemoval(count: number): { list: RefObject<HTMLUListElement | null>; goOnAt(place: number): void } {
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once another number is drawn
  useEffect(() => {
    const next = place.current === undefined ? undefined : list.current?.children[place.current];
    place.current = undefined;
    if (document.activeElement === document.body) next?.querySelector('button')?.focus();
  }, [count]);
  return {
    list,
    goOnAt(at) {
      place.current = at;
    },
  };
}

interface TagFormProps {
  /** The tags to choose from. */
  readonly tags: readonly Tag[];
  readonly onChoose: (tag: Tag) => void;
}

/** The button, and behind it a tag to choose. */
export const AddTag = ({ button, tags, onChoose }: TagFormProps & { readonly button: ReactElement<PressButton> }) => (
  <PopoverButton label="Add a tag" position="bottom-start" button={button}>
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

/** A tag by its name: one that is there, or a new one. */
function TagForm({ tags, onChoose }: TagFormProps) {
  const { run, isPending, failure, problemOf, reset } = useAction('tag', 'save');
  const [name, setName] = useState('');
  const list = useId();
  const isEmpty = name.trim() === '';
  const unfit = isEmpty ? undefined : tagProblem(name);
  const known = tags.find(({ data }) => data.displayName.toLowerCase() === name.trim().toLowerCase());

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (known) onChoose(known);
    else if (!isEmpty && unfit === undefined) void run({ payload: { data: { displayName: name } } }, ({ tag }) => onChoose(tag));
  }

  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextField
        label="Tag"
        description="Choose one, or write a new one."
        value={name}
        limit={LONGEST_TAG}
        list={list}
        autoComplete="off"
        error={unfit ?? problemOf('payload.data.displayName') ?? failure}
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
      <Button type="submit" loading={isPending} disabled={isEmpty || unfit !== undefined}>
        {known || isEmpty ? 'Add tag' : 'Create this tag'}
      </Button>
    </form>
  );
}
