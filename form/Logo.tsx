import type { BrandLogo } from '#contract/brand/look.ts';

export const Logo = ({ picture, width, height, alt }: BrandLogo) => (
  <img className="logo" src={picture} width={width} height={height} alt={alt} />
);
