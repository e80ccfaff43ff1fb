<?php declare(strict_types=1);

namespace Shop\Tests;

use PHPUnit\Framework\{AssertionFailedError, Attributes\Before, IncompleteTest, SkippedTest};

/** Gives each test a merchant. If the test fails, its calls are printed with the command that opens its World. */
trait Sandbox
{
    protected Merchant $merchant;

    /** @before */
    #[Before]
    protected function createMerchant(): void
    {
        $test = method_exists($this, 'nameWithDataSet') ? $this->nameWithDataSet() : $this->getName();
        $this->merchant = new Merchant(mb_substr(static::class . "::$test", 0, 100));
    }

    protected function onNotSuccessfulTest(\Throwable $failure): never
    {
        if (isset($this->merchant) && !$failure instanceof SkippedTest && !$failure instanceof IncompleteTest) {
            fwrite(STDERR, "\n{$this->merchant->story()}\n");
        }
        throw $failure;
    }
}

final class Merchant
{
    public static string $url = '';
    private static array $own = [];

    public function __construct(private string $name, public string $key = '')
    {
        self::$url = self::$url ?: rtrim((string) getenv('SANDBOX_URL'), '/') ?: self::start();
        $this->seed([]);
    }

    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable($this->call('GET', '/clock')['now']);
    }

    public function advance(string $by): array
    {
        return $this->call('POST', '/clock/advance', ['by' => $by])['effects'];
    }

    public function fault(string $operation, array $effect, string $stage = 'after', int $times = 1): void
    {
        $this->call('POST', '/faults', ['match' => compact('operation')] + compact('effect', 'stage', 'times'));
    }

    /** Opens a World with policies bought in the year before, and a new key: `seed(['micro_health' => 40])`. */
    public function seed(array $records): void
    {
        $this->key = (string) getenv('SANDBOX_ADMIN_TOKEN');
        $merchant = ['name' => $this->name, 'records' => (object) $records];
        $this->key = $this->call('POST', '/merchants', $merchant)['api_key'];
    }

    public function records(string $family): array
    {
        return $this->call('GET', "/records?family=$family&per_page=100")['data'];
    }

    public function journal(array $filters = []): array
    {
        return $this->call('GET', '/journal?' . http_build_query($filters))['data'];
    }

    public function story(): string
    {
        $text = "Calls of $this->name:\n" . $this->send('GET', '/journal?format=text');
        if (getenv('SANDBOX_RUN') !== false) {
            return $text;
        }
        @mkdir('sandbox-failures');
        $name = preg_replace('/\W+/', '-', substr($this->name, -60)) . '-' . hash('crc32b', $this->name);
        $file = "sandbox-failures/$name.json";
        file_put_contents($file, $this->send('GET', '/snapshot'));
        return "$text\nnpx micro-insurance-sandbox show $file";
    }

    private function call(string $method, string $path, ?array $body = null): array
    {
        return json_decode($this->send($method, $path, $body) ?: '[]', true);
    }

    private function send(string $method, string $path, ?array $body = null): string
    {
        $header = ['Content-Type: application/json', ...($this->key ? ["Authorization: Bearer $this->key"] : [])];
        $http = compact('method', 'header') + ['ignore_errors' => true, 'content' => $body ? json_encode($body) : ''];
        $text = @file_get_contents(self::$url . "/_sandbox$path", false, stream_context_create(compact('http')));
        if ($text !== false && preg_match('/ 2\d\d /', $http_response_header[0])) {
            return $text;
        }
        $isGone = self::$own && !proc_get_status(self::$own[0])['running'];
        $reason = $isGone ? 'The sandbox has ended. The next test has a new one.' : 'No sandbox at ' . self::$url . '.';
        self::$url = $isGone ? self::start() : self::$url;
        throw new AssertionFailedError($text === false ? $reason : "$method $path: $text");
    }

    private static function start(): string
    {
        for ($up = 1; $up <= 9; $up++) {
            $places[] = dirname(__DIR__, $up) . '/node_modules/micro-insurance-sandbox/bin/micro-insurance-sandbox.cjs';
            $places[] = dirname(__DIR__, $up) . '/bin/micro-insurance-sandbox.cjs';
        }
        $files = array_filter($places, 'is_file');
        $start = ['node', reset($files), '--attached', '--port=0', '--json', '--now=2026-01-31T10:00:00Z', '--freeze'];
        $process = @proc_open($files ? $start : ['node', '-v'], [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
        if (!$files || !$process || ($line = fgets($pipes[1])) === false) {
            throw new AssertionFailedError('Install ' . ($files ? 'Node 20.19.' : 'micro-insurance-sandbox.'));
        }
        self::$own = [$process, $pipes];
        return json_decode($line)->url;
    }
}
