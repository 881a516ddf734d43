/* The parts of the component kit that pages are drawn with; what opens over them is in overlays.ts. */
export {
  ActionIcon,
  Avatar,
  Button,
  Checkbox,
  CloseButton,
  Kbd,
  Loader,
  MantineProvider,
  NativeSelect,
  PasswordInput,
  Radio,
  SegmentedControl,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
export {
  useClipboard,
  useDebouncedCallback,
  useDisclosure,
  useDocumentTitle,
  useElementSize,
  useInterval,
  useMediaQuery,
  useMergedRef,
  useNetwork,
  useReducedMotion,
  useTimeout,
  useWindowEvent,
} from '@mantine/hooks';

/** What the server's content security policy lets style elements of this page carry. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
