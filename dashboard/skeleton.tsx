import { renderToStaticMarkup } from 'react-dom/server';
import frame from './frame/Frame.module.css?inline';
import skeleton from './frame/FrameSkeleton.module.css?inline';
import { FrameSkeleton } from './frame/FrameSkeleton.tsx';
import base from './ui/base.css?inline';
import tokens from './ui/tokens.css?inline';
import wordmark from './ui/Wordmark.module.css?inline';

/** What the build draws into the document: the frame, and the styles that it needs. */
export const html = renderToStaticMarkup(<FrameSkeleton />);
export const css = [base, tokens, frame, skeleton, wordmark].join('');
