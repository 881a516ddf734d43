import type { FormProps } from '#contract/form/form-page.ts';

/** Whose form this is: the business and its place, or one name where they are the same. */
export function Place({ business, place }: Pick<FormProps, 'business' | 'place'>) {
  return business.trim() === place.trim() ? (
    <b>{place}</b>
  ) : (
    <>
      <b>{business}</b> {place}
    </>
  );
}
