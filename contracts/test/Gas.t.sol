// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "./stand-ins/TestUSDC.sol";
import {TokenProxy} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";
import {Signing} from "./support/Signing.sol";

/// @notice What whole transactions cost, calldata and the 21,000 of every transaction included, when
///         Forge runs each call as a transaction of its own (--isolate). Treasuries and collector
///         hold some of the token already, as they do in business.
contract GasTest is HubTest {
    /// @dev EIP-7825: no transaction may use more.
    uint256 private constant TRANSACTION_LIMIT = 16_777_216;

    /// @dev What sweeps leave in their deposits.
    uint256 private leave;

    function test_sweeps_of_distinct_merchants() public {
        sweepBatch("sweep, distinct merchants, of 1", 1, true);
        sweepBatch("sweep, distinct merchants, of 5", 5, true);
        sweepBatch("sweep, distinct merchants, of 20", 20, true);
        sweepBatch("sweep, distinct merchants, of 50", 50, true);
        uint256 hundred = sweepBatch("sweep, distinct merchants, of 100", 100, true) * 100;
        vm.assertLt(hundred, TRANSACTION_LIMIT, "a batch of 100 fits into a transaction");
    }

    function test_sweeps_of_one_merchant() public {
        sweepBatch("sweep, one merchant, of 20", 20, false);
    }

    function test_sweeps_of_a_token_behind_a_proxy() public {
        useProxiedToken();
        sweepBatch("sweep, token behind a proxy, distinct merchants, of 20", 20, true);
        leave = 5e5;
        sweepBatch("sweep, leaving some, token behind a proxy, distinct merchants, of 20", 20, true);
    }

    function test_the_second_sweep_of_a_deposit() public {
        IRemitHub.Sweep memory item = sweepOf(address(usdc), 1e6, 0);
        usdc.mint(TREASURY, 1);
        usdc.mint(depositOf(item), 2e6);
        sweep(item);
        sweep(item);
        record("sweep, second of a deposit", 1);
        vm.assertEq(usdc.balanceOf(TREASURY), 2e6 + 1, "both sweeps paid");
    }

    function test_sweeps_without_a_fee() public {
        usdc.mint(TREASURY, 1e6);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](20);
        for (uint256 i; i < 20; ++i) {
            items[i] = invoice(7, i, false, 0);
            items[i].merchantId = MERCHANT;
            usdc.mint(depositOf(items[i]), 1e6);
        }
        sweepAll(items);
        record("sweep, no fee, one merchant, of 20", 20);
        vm.assertEq(usdc.balanceOf(TREASURY), 21e6, "all were paid");
    }

    function test_settlements() public {
        settleBatch("settle, one merchant, distributed, of 1", 1, true);
        settleBatch("settle, one merchant, distributed, of 20", 20, true);
        settleBatch("settle, one merchant, distributed, of 50", 50, true);
        settleBatch("settle, one merchant, not distributed, of 50", 50, false);
        uint256 hundred = settleBatch("settle, one merchant, distributed, of 100", 100, true) * 100;
        vm.assertLt(hundred, TRANSACTION_LIMIT, "a batch of 100 fits into a transaction");
    }

    function test_settlements_of_a_token_behind_a_proxy() public {
        useProxiedToken();
        settleBatch("settle, token behind a proxy, distributed, of 50", 50, true);
    }

    function test_configurations() public {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](20);
        bytes[] memory signatures = new bytes[](20);
        for (uint256 i; i < 20; ++i) {
            configs[i] = entry(bytes16(uint128(0xC000 + i)), TREASURY, 1);
            signatures[i] = configSignature(configs[i]);
        }
        hub.configure(configs, signatures);
        record("configure, of 20", 20);
        vm.assertEq(versionOf(configs[19].merchantId), 1, "all were written");
    }

    function test_refunds() public {
        refundBatch("refund, deploying, of 20", true);
    }

    function test_refunds_of_a_token_behind_a_proxy() public {
        useProxiedToken();
        refundBatch("refund, deploying, token behind a proxy, of 20", true);
        refundBatch("refund, second of a deposit, token behind a proxy, of 20", false);
    }

    /// @dev With a limit, whose bookings are counted; ids in a row; no fee left.
    function refundBatch(string memory name, bool deploys) private {
        vm.prank(OWNER);
        hub.setToken(address(usdc), true, 6, REFUND_LIMIT);
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](20);
        for (uint256 i; i < 20; ++i) {
            items[i] = refundOf((deploys ? 1000 : 2000) + i, address(usdc), RECIPIENT, 1e6);
            items[i].merchantId = bytes16(keccak256(abi.encode("merchant", i)));
            items[i].invoiceId = bytes16(keccak256(abi.encode("invoice", i)));
            items[i].refund.source = hub.depositAddress(
                items[i].merchantId, items[i].invoiceId, address(0), MAX_FEE
            );
            items[i].signature = signed(items[i].refund, REFUND_KEY);
            usdc.mint(items[i].refund.source, 2e6);
        }
        usdc.mint(RECIPIENT, 1);
        uint256 before = usdc.balanceOf(RECIPIENT);
        hub.refund(items, ITEM_GAS);
        record(name, 20);
        vm.assertEq(usdc.balanceOf(RECIPIENT), before + 20e6, "all were paid");
    }

    function sweepBatch(string memory name, uint256 count, bool distinct)
        private
        returns (uint256 each)
    {
        usdc.mint(COLLECTOR, 1);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](count);
        for (uint256 i; i < count; ++i) {
            items[i] = invoice(count, i, distinct, 1e4);
            bytes16 merchantId = items[i].merchantId;
            address treasury = address(uint160(uint128(merchantId)) << 32);
            if (versionOf(merchantId) == 0) configure(merchantId, treasury, 1);
            usdc.mint(treasury, 1);
            usdc.mint(depositOf(items[i]), 1e6 + leave);
        }
        uint256 before = usdc.balanceOf(COLLECTOR);
        sweepAll(items);
        each = record(name, count);
        vm.assertEq(usdc.balanceOf(COLLECTOR), before + count * 1e4, "all were paid");
    }

    /// @dev A sweep whose ids are as random as a UUID, for the sake of the calldata's price.
    function invoice(uint256 round, uint256 index, bool distinct, uint256 fee)
        private
        view
        returns (IRemitHub.Sweep memory item)
    {
        item = sweepOf(address(usdc), 1e6, fee);
        item.merchantId = bytes16(keccak256(abi.encode("merchant", distinct ? index : 0)));
        item.invoiceId = bytes16(keccak256(abi.encode("invoice", round, index, distinct, leave)));
        item.leave = leave;
    }

    function settleBatch(string memory name, uint256 count, bool distributed)
        private
        returns (uint256 each)
    {
        usdc.mint(hub.forwarderAddress(MERCHANT), 1);
        usdc.mint(TREASURY, 1);
        usdc.mint(COLLECTOR, 1);
        hub.deployForwarder(MERCHANT);
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](count);
        for (uint256 i; i < count; ++i) {
            uint256 key = uint256(keccak256(abi.encode("payer", i)));
            usdc.mint(vm.addr(key), 2e6);
            items[i] = authorization(
                key, hub.forwarderAddress(MERCHANT), 1e6, keccak256(abi.encode(name, i))
            );
        }
        uint256 before = usdc.balanceOf(hub.forwarderAddress(MERCHANT));
        settleAndDistribute(
            items, distributed ? distributionOf(MERCHANT, 1) : noDistributions()
        );
        each = record(name, count);
        vm.assertEq(
            usdc.balanceOf(hub.forwarderAddress(MERCHANT)),
            distributed ? 1 : before + count * 1e6,
            "all were settled"
        );
    }

    function record(string memory name, uint256 count) private returns (uint256 each) {
        each = vm.snapshotGasLastCall(name) / count;
        if (count > 1) vm.snapshotValue(name, each);
    }

    function configSignature(IRemitHub.MerchantConfig memory config)
        private
        view
        returns (bytes memory)
    {
        return packed(CONFIG_KEY, Signing.config(config, address(hub)));
    }

    function useProxiedToken() private {
        usdc = TestUSDC(address(new TokenProxy(address(usdc))));
        usdc.initialize("USDC", "USDC", "2", address(this));
        list(address(usdc));
    }
}
