import type { FormProps } from '#contract/form/form-page.ts';

/** The names of the business and the place, or one name if they are the same. */
export function Place({ business, place }: Pick<FormProps, 'business' | 'place'>) {
  return business.trim() === place.trim() ? (
    <b>{place}</b>
  ) : (
    <>
      <b>{business}</b> {place}
    </>
  );
}
