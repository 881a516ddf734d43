/* The parts of the component kit that we use; everything else of the dashboard takes them from here. */
export {
  ActionIcon,
  Avatar,
  Button,
  Checkbox,
  CloseButton,
  Drawer,
  Kbd,
  Loader,
  MantineProvider,
  Menu,
  Modal,
  NativeSelect,
  PasswordInput,
  Popover,
  Radio,
  SegmentedControl,
  Switch,
  TextInput,
} from '@mantine/core';
export { useElementSize, useMediaQuery } from '@mantine/hooks';
