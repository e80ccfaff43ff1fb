<?php declare(strict_types=1);

/*
 * Loads the classes: with Composer in a project, and without it where Guzzle is the package of Debian. Guzzle may be
 * missing.
 */

foreach ([dirname(__DIR__) . '/vendor/autoload.php', '/usr/share/php/GuzzleHttp/autoload.php'] as $autoload) {
    is_file($autoload) && require_once $autoload;
}
spl_autoload_register(static function (string $class): void {
    $file = preg_replace(['/^Shop.Tests./', '/^Shop./'], [__DIR__ . '/', dirname(__DIR__) . '/src/'], $class) . '.php';
    is_file($file) && require_once $file;
});
// It holds the class of the merchant, too.
require_once __DIR__ . '/Sandbox.php';
