/** Style sheets are bundled beside the script that imports them; they export nothing. */
declare module '*.css';
