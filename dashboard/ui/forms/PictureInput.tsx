import type { RefObject } from 'react';

/** What is said of a file that is none of these. */
export const UNREADABLE = 'Please choose a PNG, JPEG or WebP picture';

interface PictureInputProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly label: string;
  /** Settles once the file is read. */
  readonly onChoose: (file: File) => Promise<unknown>;
}

/** Opens the device's files and camera when it is clicked, which a button of the page does for it. */
export const PictureInput = ({ ref, label, onChoose }: PictureInputProps) => (
  <input
    ref={ref}
    type="file"
    accept="image/png,image/jpeg,image/webp"
    hidden
    aria-label={label}
    onChange={({ currentTarget }) => {
      const [file] = currentTarget.files ?? [];
      // The same file can be chosen again.
      if (file)
        void onChoose(file).finally(() => {
          currentTarget.value = '';
        });
    }}
  />
);
