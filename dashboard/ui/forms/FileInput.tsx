import type { RefObject } from 'react';
import { translatable } from '#contract/language/translate.ts';

/** The pictures that can be read. */
export const PICTURES = 'image/png,image/jpeg,image/webp';
/** The message for any other file. */
export const UNREADABLE = translatable('Please choose a PNG, JPEG or WebP picture');

interface FileInputProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly accept: string;
  readonly label: string;
  /** Settles after the file is read. */
  readonly onChoose: (file: File) => Promise<unknown>;
}

/** A hidden file input. A visible button clicks it to open the files or camera. */
export const FileInput = ({ ref, accept, label, onChoose }: FileInputProps) => (
  <input
    ref={ref}
    type="file"
    accept={accept}
    hidden
    aria-label={label}
    onChange={({ currentTarget }) => {
      const [file] = currentTarget.files ?? [];
      // Allow choosing the same file again.
      if (file)
        void onChoose(file).finally(() => {
          currentTarget.value = '';
        });
    }}
  />
);
