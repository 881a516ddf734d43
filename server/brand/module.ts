import type { Module } from '../module.ts';
import type { Pictures } from '../platform/images/images.ts';
import { openBrand } from './operations.ts';

/** The logo and colors of an account's pages for visitors. */
export const brand = ({ pictures }: { readonly pictures: Pictures }) => ({ handlers: { brand: openBrand(pictures) } }) satisfies Module;
